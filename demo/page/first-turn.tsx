import { useElicitationList } from "elicit-kit";
import { type Channel, createElicitationClient } from "elicit-kit/client";
import { useEffect, useMemo, useRef } from "react";
import {
  CONVERSATION,
  LAST,
  messagesAt,
  phaseAt,
  REQUEST_ID,
  requestIn,
  timelineAt,
} from "./first-frames.ts";
import { Icon } from "./icons.tsx";
import { Log } from "./log.tsx";
import type { Spoken } from "./settings.ts";
import { TurnStrip } from "./turn-strip.tsx";
import { usePlay } from "./use-play.ts";

/** The files that a developer writes, with the frames during which each line runs. */
const FILES = [
  {
    name: "chat.tsx",
    lines: [
      { code: 'const elicitation = useElicitation({ api: "/run/api" });', frames: [0] },
      { code: "const { messages, sendMessage } = useChat(elicitation.chatOptions);", frames: [0] },
      { code: "return <>", frames: [] },
      { code: "  <Messages of={messages} onSend={sendMessage} />", frames: [] },
      { code: "  <Elicitations {...elicitation} />", frames: [1, 2] },
      { code: "</>;", frames: [] },
    ],
  },
  {
    name: "book-hotel.ts",
    lines: [
      { code: 'const hotel = await elicitor(id).form("Which hotel?", stay);', frames: [1, 2], waits: true },
      { code: 'if (hotel.outcome !== "accepted") return hotel.text;', frames: [3] },
      { code: "const booked = await book(hotel.value);", frames: [3, 4] },
      { code: "return `Booked ${booked.name}, ${booked.nights} nights.`;", frames: [4] },
    ],
  },
] as const;

/**
 * An animated turn of six seconds, beside the code that produces it. It plays once. Log, card and strip are those of the
 * chat, and the answer is given in the card itself; a fake server in this page takes it. The card cannot be focused and is
 * hidden from screen readers. Any click or key ends the animation, and so does `prefers-reduced-motion`.
 */
export function FirstTurn({ spoken, user }: { spoken: Spoken; user: string }): React.JSX.Element {
  const { words, catalogue } = spoken;
  const { frame, round, startedAt, play } = usePlay();
  // Each round asks anew.
  // oxlint-disable-next-line react/exhaustive-deps
  const client = useMemo(createPlayClient, [round]);
  const stage = useRef<HTMLDivElement>(null);
  const { elicitations } = useElicitationList({ client, conversationId: CONVERSATION });
  const timeline = timelineAt(frame, startedAt);

  useEffect(() => {
    if (frame >= 1) client.receive(CONVERSATION, requestIn(words));
  }, [client, frame, words]);
  useEffect(() => {
    if (stage.current === null || frame < 2) return;
    return answer(stage.current, frame >= 3);
  }, [frame, round]);

  return (
    <div className="first" data-frame={frame}>
      <div className="pane" ref={stage} inert aria-hidden="true">
        <div className="stage">
          <Log
            user={user}
            messages={messagesAt(frame, words)}
            elicitations={frame >= 1 ? elicitations : []}
            words={words}
            catalogue={catalogue}
            watch={unwatched}
            timeline={timeline}
            busy={frame < LAST}
            onAskAgain={unwatched}
          />
        </div>
        <TurnStrip
          turn={{
            id: REQUEST_ID,
            phase: phaseAt(frame),
            hasAsked: frame >= 1,
            isRefused: false,
            timeline,
            isCurrent: true,
          }}
          words={words}
        />
      </div>
      <div className="pane code">
        <Lines frame={frame} />
        <p className="foot">
          {frame < 3 && phaseAt(frame) === "paused" && <Icon name="pause" />}
          {words.first.notes[phaseAt(frame)]}
          {frame === LAST && (
            <button type="button" className="button" onClick={play}>
              {words.first.again}
            </button>
          )}
        </p>
      </div>
    </div>
  );
}

function Lines({ frame }: { frame: number }): React.JSX.Element {
  return (
    <div dir="ltr" lang="en" translate="no">
      {FILES.map(({ name, lines }) => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <ol>
            {lines.map((line) => (
              <li
                key={line.code}
                data-runs={line.frames.some((one) => one === frame) ? "" : undefined}
                data-waits={"waits" in line && line.frames.some((one) => one === frame) ? "" : undefined}
              >
                <code>{line.code}</code>
              </li>
            ))}
          </ol>
        </figure>
      ))}
    </div>
  );
}

/** Chooses the first option of the card, and presses Send. The code of the card may still be loading. */
function answer(stage: HTMLElement, sends: boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function act(): void {
    const option = stage.querySelector<HTMLInputElement>("input[type=radio]");
    if (option?.checked === false) {
      option.click();
      timer = setTimeout(act);
    } else if (sends) {
      stage.querySelector<HTMLElement>("[type=submit]:not([aria-disabled=true])")?.click();
    }
  }
  const observer = new MutationObserver(act);
  observer.observe(stage, { childList: true, subtree: true });
  act();
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

const unwatched = (): undefined => undefined;

/** A client with a fake server in this page: each answer ends its request. */
function createPlayClient() {
  const channel: Channel = {
    subscribe: () => () => undefined,
    respond: async (answers) =>
      answers.map(({ elicitationId }) => ({ elicitationId, kind: "settled", outcome: "accepted" })),
    delivery: () => ({ accept: "send", decline: "local", cancel: "local" }),
  };
  return createElicitationClient({ channel });
}
