import type { InternalSurface } from "../turn/surfaces.ts";
import type { Continue } from "./route-context.ts";
import { type TurnReplies, UI_MESSAGE_STREAM } from "./turn-replies.ts";

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
