import { testNotices } from "../../test/stages/notice-suite.ts";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";

testNotices("on PostgreSQL", async () => {
  const { url } = await createTestDatabase();
  return [await startPorts(url), await startPorts(url)];
});
