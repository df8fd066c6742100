/**
 * `elicit-kit/audit`: the decision log. It records each question and each decision, with the user, the time and the
 * place.
 */
export type { Decision } from "./decision.ts";
export type { DecisionLog } from "./log.ts";
export { createMemoryDecisionLog } from "./memory-log.ts";
export { verifyDecisions } from "./verify.ts";
