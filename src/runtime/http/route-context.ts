import type { HonoRequest } from "hono";
import type { Clock } from "../../base/clock.ts";
import type { Sender, User } from "../../base/identity.ts";
import type { Shown } from "../request/features/absence.ts";
import type { ElicitationService } from "../request/elicitations.ts";
import type { Admission } from "./admission.ts";
import type { Chat } from "./chat-format.ts";
import type { TurnReplies } from "./turn-replies.ts";

/** The values that the routes share. */
export interface RouteContext {
  readonly elicitations: ElicitationService;
  readonly clock: Clock;
  /** `undefined`: the records cannot list the open requests of a user. */
  readonly inbox: InboxFeature | undefined;
  /** Tracks what clients show. `undefined`: there are no notices, so this is not needed. */
  readonly showing: Shown | undefined;
  /** How long an inbox stream may be silent, and its time limit. */
  readonly streamTimes: { readonly keepAliveMs: number; readonly maxStreamMs: number | undefined };
  /** Aborts when the runtime has closed. */
  readonly closing: AbortSignal;
  readonly authenticate: (request: Request) => Promise<User | undefined>;
  readonly admission: Admission;
  /** The chat in each of its formats. The first is `POST /run/api/chat`. */
  readonly chats: readonly [Chat, ...Chat[]];
  readonly replies: TurnReplies;
  /** The origin of the page that sent the HTTP request, if it is an allowed one. */
  readonly chatOriginOf: (request: Request) => string | undefined;
}

/** Lists the open requests of a user in all conversations. */
export interface InboxFeature {
  /** Handles `GET /api/elicitations` without a conversation (contract, section 4). */
  reply(context: RouteContext, reader: Sender & { user: User }, request: HonoRequest): Promise<Response>;
}
