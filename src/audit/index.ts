/** `elicit-kit/audit`: the decision log. Who was asked what, and who decided what, when and where. */
export type { Decision } from "./decision.ts";
export type { DecisionLog } from "./log.ts";
export { createMemoryDecisionLog } from "./memory-log.ts";
export { verifyDecisions } from "./verify.ts";
