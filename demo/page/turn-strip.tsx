import type { ReactNode } from "react";
import { Icon, Spinner } from "./icons.tsx";
import { clock, lengthOf, type Phase, segmentsOf } from "./turn.ts";
import { useNow } from "./use-now.ts";
import type { Turn } from "./use-turn.ts";
import type { Words } from "./words/en.ts";

/**
 * The part of the track that stays empty while a turn continues, as a length in milliseconds. The track fills more and
 * more slowly, and never completely.
 */
const AHEAD_MS = 12_000;

interface TurnStripProps {
  turn: Turn;
  words: Words;
  /** What stands beside "Paused" instead of "waiting for you". */
  waiting?: ReactNode;
}

/** The newest turn as a line: solid while the agent worked, hatched while it waited for the user. */
export function TurnStrip({ turn, words, waiting }: TurnStripProps): React.JSX.Element {
  const { phase, hasAsked, isRefused, timeline, isCurrent } = turn;
  const goesOn = phase === "running" || phase === "paused" || phase === "resumed";
  const now = useNow(goesOn);
  const segments = timeline === undefined ? [] : segmentsOf(timeline, goesOn ? now : undefined);
  const waited = lengthOf(segments, "wait");
  return (
    <section className="strip" data-phase={phase} aria-label={words.turn}>
      <p>
        <Sign phase={phase === "done" && isRefused ? "stopped" : phase} />
        <b>{phase === "done" && hasAsked ? endOf(isRefused, words) : words.phases[phase]}</b>
        {phase === "paused" && (waiting ?? <span>{words.waitingForYou}</span>)}
        {phase === "resumed" && <span>{words.sameTurn}</span>}
      </p>
      <div className="track" aria-hidden="true">
        {segments.map(({ kind, ms }, index) => (
          <i key={index} data-kind={kind} style={{ flexGrow: ms }} />
        ))}
        {goesOn && <i data-kind="ahead" style={{ flexGrow: AHEAD_MS }} />}
      </div>
      <span className="time">
        {goesOn || !isCurrent ? clock(lengthOf(segments)) : words.seconds(seconds(lengthOf(segments)))}
        {!goesOn && isCurrent && waited > 0 && ` · ${words.waited(words.seconds(seconds(waited)))}`}
      </span>
    </section>
  );
}

function endOf(isRefused: boolean, words: Words): string {
  return isRefused ? words.endedInOneTurn : words.doneInOneTurn;
}

function Sign({ phase }: { phase: Phase }): React.JSX.Element {
  switch (phase) {
    case "running":
    case "resumed":
      return <Spinner />;
    case "paused":
      return <Icon name="pause" />;
    case "done":
      return <Icon name="done" />;
    case "stopped":
      return <Icon name="minus" />;
  }
}

/** Times below ten seconds have one decimal. Rounded, a short wait would look as long as its whole turn. */
function seconds(ms: number): string {
  const decimals = ms < 10_000 ? 1 : 0;
  return (ms / 1000).toFixed(decimals);
}
