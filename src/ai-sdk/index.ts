/**
 * `elicit-kit/ai-sdk`: elicitation in a chat of the AI SDK. Start with `createElicitation`. The other exports are for
 * your own clients, and for a model behind an elicitation server.
 */
export { createEnvelopeConfirmer, elicitationParts } from "./confirm-envelope.ts";
export { createElicitation, type ChatElicitation, type ElicitationOptions } from "./create-elicitation.ts";
export {
  elicitationMiddleware,
  type ElicitationMiddleware,
  elicitationTransform,
} from "./provider-stream.ts";
