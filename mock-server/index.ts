/**
 * `elicit-kit/mock-server`: a server of the contract for tests and stories, in Node and in a service worker. Needs `msw`:
 * `npm install --save-dev msw`.
 */
export type { Fault } from "./fault.ts";
/** Faults between a chat and the mock server: `createMockServer({ faults })`, `server.inject(…)`. */
export * as faults from "./faults.ts";
export { createMockFetch } from "./mock-fetch.ts";
export type { MockServer, MockServerOptions } from "./mock-server.ts";
export { createMockServer } from "./mock-server.ts";
export type { Scenario } from "./scenarios.ts";
export { scenarios } from "./scenarios.ts";
export type { Script, Step } from "./script.ts";
export { askForm, askToConnect, call, say, together, write } from "./script.ts";
