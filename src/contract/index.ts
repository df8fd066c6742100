/**
 * `elicit-kit/contract`: the wire contract as types and dependency-free checks, and the class of the kit's own errors.
 * `elicit-kit/contract/schema` has zod schemas for it.
 */
export {
  SUPPORTS_ELICITATION_HEADER,
  REQUEST_PART_TYPE,
  RESPONSE_PART_TYPE,
  type ElicitationAction,
  type ElicitationOutcome,
  type ElicitationContent,
  type ElicitationResolution,
  type RequestedSchema,
  type UrlElicitationRequest,
  type FormElicitationRequest,
  type ElicitationRequest,
  type ElicitationResponse,
  type ElicitationAnswer,
  type StatusReport,
  type ElicitationList,
  type InboxPage,
  type AnswerAck,
  type Problem,
} from "./contract.ts";
export { parseElicitationRequest, parseElicitationResponse } from "./guard.ts";
export { COMPLETION_MESSAGE_SOURCE } from "./window-messages.ts";
export { KitError, isKitError } from "./kit-error.ts";
