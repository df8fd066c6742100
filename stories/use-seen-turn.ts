import { isOpen } from "elicit-kit/client";
import type { TurnTimeline } from "elicit-kit/runtime";
import { useEffect, useState } from "react";
import { type Turn, turnOf } from "../demo/page/use-turn.ts";

/** The newest turn of a chat, with the times that this page has seen: the demo reads them from the server's log. */
export function useSeenTurn(chat: Parameters<typeof turnOf>[0]): Turn | undefined {
  const facts = turnOf(chat);
  const open = chat.elicitations
    .filter(isOpen)
    .map(({ id }) => id)
    .join();
  const [seen, setSeen] = useState<Seen>();
  const turnId = facts?.id;
  // Each phase is seen at its own time.
  const phase = facts?.phase;
  useEffect(() => {
    if (phase === undefined) return;
    // oxlint-disable-next-line react/set-state-in-effect -- the time at which the page sees a change is not known in render
    setSeen((before) => seenAt(Date.now(), before, turnId, open === "" ? [] : open.split(",")));
  }, [turnId, phase, open]);
  if (facts === undefined) return undefined;
  return { ...facts, timeline: seen?.turnId === facts.id ? seen?.timeline : undefined, isCurrent: true };
}

interface Seen {
  readonly turnId: string | undefined;
  readonly timeline: TurnTimeline;
}

function seenAt(
  now: number,
  before: Seen | undefined,
  turnId: string | undefined,
  open: readonly string[],
): Seen {
  const { from, waits } = before?.turnId === turnId && before ? before.timeline : { from: now, waits: [] };
  const known = waits.map((wait) =>
    wait.outcome !== undefined || open.includes(wait.elicitationId)
      ? wait
      : { ...wait, to: now, outcome: "accepted" as const },
  );
  const asked = open
    .filter((id) => waits.every(({ elicitationId }) => elicitationId !== id))
    .map((elicitationId) => ({ elicitationId, message: "", from: now, to: now }));
  return { turnId, timeline: { from, to: now, waits: [...known, ...asked] } };
}
