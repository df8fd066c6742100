import { testNotices } from "../../test/stages/notice-suite.ts";
import { createMemoryRecords, createMemoryTurnStream, createMemoryWaiter } from "./index.ts";

testNotices("in memory", async () => {
  const ports = {
    records: createMemoryRecords(),
    waiter: createMemoryWaiter(),
    stream: createMemoryTurnStream(),
  };
  return [ports, ports];
});
