import { testPorts } from "../../test/stages/port-suite.ts";
import { createMemoryRecords, createMemoryTurnStream, createMemoryWaiter } from "./index.ts";

testPorts("in memory", async () => {
  const ports = {
    records: createMemoryRecords(),
    waiter: createMemoryWaiter(),
    stream: createMemoryTurnStream(),
  };
  return [ports, ports];
});
