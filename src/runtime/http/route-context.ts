import type { ElicitationService } from "../request/elicitation-service.ts";
import type { User } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Admission } from "./admission.ts";
import type { Chat } from "./chat-format.ts";
import type { TurnReplies } from "./turn-replies.ts";

/** What the routes share. */
export interface RouteContext {
  readonly elicitations: ElicitationService;
  readonly clock: Clock;
  readonly authenticate: (request: Request) => Promise<User | undefined>;
  readonly admission: Admission;
  /** The chat, in each of its formats. The first is that of `POST /run/api/chat`. */
  readonly chats: readonly [Chat, ...Chat[]];
  readonly replies: TurnReplies;
  /** The origin of the page that sent the request, if it is an allowed one. */
  readonly chatOriginOf: (request: Request) => string | undefined;
}
