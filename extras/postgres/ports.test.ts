import { testPorts } from "../../test/stages/port-suite.ts";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";

testPorts("on PostgreSQL", async () => {
  const { url } = await createTestDatabase();
  return [await startPorts(url), await startPorts(url)];
});
