/**
 * What the modules beside the core (agent, hosted page, surfaces, mock) use beyond its public face in `index.ts`. No
 * other file of the core may be imported from outside; `npm run lint` holds to it.
 */
export { outcomeOf } from "./elicitation/record.ts";
export { identityOf } from "./http/identity.ts";
export { isLoopbackHttp, isSecureOrigin } from "./http/origin.ts";
export { type RateLimit, createRateLimit } from "./http/rate-limit.ts";
export { sleep, timeout, within } from "./shared/clock.ts";
export { isSendable } from "./shared/credentials.ts";
export { ForeignError, loggable, reasonOf, safeLog } from "./shared/foreign-error.ts";
export { isElicitationId, newId, newSecret } from "./shared/ids.ts";
export { limitLength } from "./shared/length-limit.ts";
export { SECRET_PATTERN, challengeOf, hmac, isEqual, readSeal, seal } from "./shared/seal.ts";
export { TurnAsk } from "./turn/turn-ask.ts";
