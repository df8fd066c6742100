/**
 * `elicit-kit/conformance`: the rules of the contract as cases over plain `fetch`. They check any server, whether or not
 * it uses the kit.
 */
import type { ConformanceCase, ConformanceLevel, ConformanceRule } from "./case.ts";
import { answerCases } from "./cases/answers.ts";
import { assignCases } from "./cases/assign.ts";
import { basicCases } from "./cases/basic.ts";
import { browserCases } from "./cases/browsers.ts";
import { capabilityCases } from "./cases/capability.ts";
import { completionsCases } from "./cases/completions.ts";
import { fastPathCases } from "./cases/fast-path.ts";
import { inboxCases } from "./cases/inbox.ts";
import { linkCases } from "./cases/link.ts";
import { outsideCases } from "./cases/outside.ts";
import { moreTimeCases } from "./cases/more-time.ts";
import { ownershipCases } from "./cases/ownership.ts";
import { proposalCases } from "./cases/proposals.ts";
import { delegateCases } from "./cases/delegate.ts";
import { rememberCases } from "./cases/remember.ts";
import { requestCases } from "./cases/requests.ts";
import { backgroundCases } from "./cases/background.ts";
import { reviewCases } from "./cases/review.ts";
import { statusCases } from "./cases/status.ts";
import { streamCases } from "./cases/streams.ts";

export { runCase } from "./case.ts";
export type { ConformanceHooks } from "./target.ts";

const at = (level: ConformanceLevel, rules: readonly ConformanceRule[]): readonly ConformanceCase[] =>
  rules.map((rule) => ({ ...rule, level }));

/** All rules, in the order of their cases. The last case makes a user wait for the rate limit. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...at("basic", basicCases),
  ...at("full", [
    ...requestCases,
    ...capabilityCases,
    ...streamCases,
    ...answerCases,
    ...fastPathCases,
    ...outsideCases,
    ...statusCases,
    ...inboxCases,
    ...proposalCases,
    ...rememberCases,
    ...delegateCases,
    ...reviewCases,
    ...backgroundCases,
    ...moreTimeCases,
    ...linkCases,
    ...assignCases,
    ...ownershipCases,
    ...completionsCases,
    ...browserCases,
  ]),
];
