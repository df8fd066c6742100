import type { ElicitationService } from "../request/elicitation-service.ts";
import type { User } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Admission } from "./admission.ts";

/** What the routes share. */
export interface RouteContext {
  elicitations: ElicitationService;
  clock: Clock;
  authenticate: (request: Request) => User | undefined | Promise<User | undefined>;
  admission: Admission;
  continueTurn: Continue;
}

/**
 * The stream of the turn that waited for this answer, from its beginning (contract, section 4), if the client asks for it.
 * `undefined`: reply as usual.
 */
export type Continue = (request: Request, user: User, elicitationId: string) => Promise<Response | undefined>;
