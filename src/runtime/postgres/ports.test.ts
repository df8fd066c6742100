import { testPorts } from "../testing/port-suite.ts";
import { createTestDatabase, startPorts } from "../testing/postgres-database.ts";

testPorts("on PostgreSQL", async () => {
  const { url } = await createTestDatabase();
  return [await startPorts(url), await startPorts(url)];
});
