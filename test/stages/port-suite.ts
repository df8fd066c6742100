import { testRecords } from "./records-suite.ts";
import { testSettlements } from "./settlement-suite.ts";
import { testTurnStream } from "./stream-suite.ts";
import type { TwoProcesses } from "./test-ports.ts";
import { testWaiter } from "./waiter-suite.ts";

/** Tests for every implementation of the ports. `create` is called before each test. */
export function testPorts(name: string, create: () => Promise<TwoProcesses>): void {
  testRecords(name, create);
  testWaiter(name, create);
  testTurnStream(name, create);
  testSettlements(name, create);
}
