/**
 * What other modules (agent, connect, protocols, hosts, the mock server) may import besides the public `index.ts`. They
 * may import no other file of the runtime; `npm run lint` enforces it.
 */
export { changesOf, currentRequest, outcomeOf } from "./request/record.ts";
export { CallOrder, stepOperation } from "./turn/call-order.ts";
export { CODE_CHANGED, SERVER_STOPPED, TAKEN_OVER, isTakenOver, never } from "./ports/turn-takeover.ts";
export { isDiscardable, isEnd } from "./turn/turn-log.ts";
export { type Presented, present, refuseSecrets, supportsOf } from "./surface/present.ts";
export { type Taken, type TakenNow, take, takeInTime, takeUnreadable } from "./surface/take.ts";
export { TurnAsk } from "./turn/turn-ask.ts";
