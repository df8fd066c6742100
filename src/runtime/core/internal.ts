/**
 * What other modules (agent, hosted page, surfaces, mock) may import from the core besides the public `index.ts`. They
 * may import no other file of the core; `npm run lint` enforces it.
 */
export { KitError } from "../../protocol/kit-error.ts";
export { changesOf, currentRequest, outcomeOf } from "./elicitation/record.ts";
export { callerOf, ensureCaller, limitKeyOf } from "./http/caller.ts";
export { crossOrigin } from "./http/cross-origin.ts";
export { endpointUrl } from "./http/endpoint-url.ts";
export { identityOf } from "./http/identity.ts";
export { isLoopbackHttp, isSecureOrigin } from "./http/origin.ts";
export { refuse } from "./http/reply.ts";
export { type RateLimit, createRateLimit } from "./http/rate-limit.ts";
export { atMost, sleep, timeout, within } from "./shared/clock.ts";
export { isSendable } from "./shared/credentials.ts";
export { type Deferred, createDeferred } from "./shared/deferred.ts";
export { createEventBus } from "./shared/event-bus.ts";
export { ForeignError, loggable, reasonOf, safeLog } from "./shared/foreign-error.ts";
export { KEY_BYTES, keyBytes } from "./shared/key-bytes.ts";
export { base64url, derivedId, isElicitationId, newId, newSecret } from "./shared/ids.ts";
export { readBody } from "./shared/read-body.ts";
export { createPeerErrors } from "./shared/peer-errors.ts";
export { type FetchLimits, type Hop, guardFetch, originSet, requireHttps } from "./shared/guarded-fetch.ts";
export { untilAborted } from "./shared/until-aborted.ts";
export { SERVER_STOPPED, TAKEN_OVER, isTakenOver, never } from "./shared/turn-takeover.ts";
export { missingPackage } from "./shared/missing-package.ts";
export { type LengthLimit, limitLength } from "./shared/length-limit.ts";
export { withoutParts } from "./shared/message-parts.ts";
export { SECRET_PATTERN, challengeOf, hmac, isEqual, readSeal, seal } from "./shared/seal.ts";
export { textMessage } from "./turn/load-messages.ts";
export { isDiscardable } from "./turn/discard.ts";
export { type Presented, present, refuseSecrets, supportsOf } from "./surface/present.ts";
export { type WriteEvent, eventStream, eventsOf } from "./surface/event-stream.ts";
export { type Taken, type TakenNow, take, takeInTime, takeUnreadable } from "./surface/take.ts";
export { TurnAsk } from "./turn/turn-ask.ts";
