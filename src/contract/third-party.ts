import type { ElicitationRequest } from "./contract.ts";

/** Whether a third party asks through the agent, under an unverified name. */
export const isThirdParty = ({ requester }: Pick<ElicitationRequest, "requester">): boolean =>
  requester?.claimedName !== undefined;
