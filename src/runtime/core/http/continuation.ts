import type { User } from "../ports.ts";
import type { InternalSurface } from "../turn/surfaces.ts";
import { type TurnReplies, UI_MESSAGE_STREAM } from "./turn-replies.ts";

/**
 * The stream of the turn that waited for this answer, from its beginning (contract, section 4), if the client asks for it.
 * `undefined`: reply as usual.
 */
export type Continue = (request: Request, user: User, elicitationId: string) => Promise<Response | undefined>;

export function createContinue(surface: InternalSurface, replies: TurnReplies): Continue {
  return async (request, user, elicitationId) => {
    if (!acceptsEvents(request)) return undefined;
    const reader = { user, key: `user ${user.id}` };
    const turn = await surface.find(user, { elicitationId });
    if (turn === undefined || replies.refuseReader(reader) !== undefined) return undefined;
    return replies.stream(turn, reader, UI_MESSAGE_STREAM);
  };
}

function acceptsEvents({ headers }: Request): boolean {
  return headers.get("accept")?.toLowerCase().includes("text/event-stream") === true;
}
