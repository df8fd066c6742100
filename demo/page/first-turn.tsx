import { ElicitationPrompt, useElicitationList } from "elicit-kit";
import { type Channel, createElicitationClient } from "elicit-kit/client";
import { useEffect, useRef, useState } from "react";
import { Icon, Mark } from "./icons.tsx";
import type { Spoken } from "./settings.ts";
import type { Words } from "./words/words.ts";

const CONVERSATION = "first";
const HOTELS = ["Casa do Rio", "Alfama 12", "Miradouro"] as const;

/** When each frame of the animation begins: the agent asks, an option is chosen, Send is pressed, the answer is sent. */
const FRAMES_MS = [2000, 4000, 5000, 6000] as const;
const LAST = FRAMES_MS.length;

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
      { code: "const booked = await book(hotel.value);", frames: [3] },
      { code: "return `Booked ${booked.name}, ${booked.nights} nights.`;", frames: [4] },
    ],
  },
] as const;

/**
 * An animated turn of six seconds, beside the code that produces it. It plays once. The card is the kit's own; a fake
 * server in this page answers its client. The card cannot be focused and is hidden from screen readers. Any click or key
 * ends the animation, and so does `prefers-reduced-motion`.
 */
export function FirstTurn({ spoken }: { spoken: Spoken }): React.JSX.Element {
  const { words, catalogue } = spoken;
  const [frame, play] = usePlay();
  const client = useClient();
  const stage = useRef<HTMLDivElement>(null);
  const { elicitations } = useElicitationList({ client, conversationId: CONVERSATION });
  const card = elicitations[0];

  useEffect(() => {
    if (frame >= 1) client.receive(CONVERSATION, requestIn(words));
    if (frame === 2) stage.current?.querySelector<HTMLElement>("input[type=radio]")?.click();
    if (frame >= 3) void client.accept("first", { hotel: HOTELS[0] });
  }, [client, frame, words]);

  return (
    <div className="first" data-frame={frame}>
      <div className="pane">
        <div className="stage" ref={stage} inert aria-hidden="true">
          <p className="said">{words.first.wish}</p>
          <p className="line">
            <Mark /> <span>{frame === 0 ? words.first.willBook : words.first.oneQuestion}</span>
          </p>
          {frame >= 1 && card !== undefined && (
            <div className="asked" data-wait={frame < 3 ? "" : undefined}>
              <ElicitationPrompt elicitation={card} catalogue={catalogue} />
            </div>
          )}
          {frame === LAST && (
            <p className="line">
              <Mark /> <span>{words.first.booked(HOTELS[0])}</span>
            </p>
          )}
        </div>
        <p className="play-bar">
          <Icon name={frame === LAST ? "done" : frame === 1 || frame === 2 ? "pause" : "play"} />
          <b>{frame === LAST ? words.doneInOneTurn : words.phases[phaseOf(frame)]}</b>
          {frame === LAST && (
            <button type="button" className="button" onClick={play}>
              {words.first.again}
            </button>
          )}
        </p>
      </div>
      <Code frame={frame} />
    </div>
  );
}

function phaseOf(frame: number): "running" | "paused" | "resumed" {
  if (frame === 0) return "running";
  return frame < 3 ? "paused" : "resumed";
}

function Code({ frame }: { frame: number }): React.JSX.Element {
  return (
    <div className="pane code" dir="ltr" lang="en" translate="no">
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

/** The current frame, and a function that restarts the animation. */
function usePlay(): [frame: number, play: () => void] {
  const [isStill] = useState(() => matchMedia("(prefers-reduced-motion: reduce)").matches);
  const [frame, setFrame] = useState(isStill ? LAST : 0);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isStill && round === 0) return;
    const ended = new AbortController();
    const timers = FRAMES_MS.map((ms, index) => setTimeout(() => setFrame(index + 1), ms));
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
      ended.abort();
    };
    const end = () => {
      stop();
      setFrame(LAST);
    };
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, end, { signal: ended.signal });
    return stop;
  }, [isStill, round]);
  return [
    frame,
    () => {
      setFrame(0);
      setRound((one) => one + 1);
    },
  ];
}

/** A client with a fake server in this page: each answer ends its request. */
function useClient() {
  const [client] = useState(() => {
    const channel: Channel = {
      subscribe: () => () => undefined,
      respond: async (answers) =>
        answers.map(({ elicitationId }) => ({ elicitationId, kind: "settled", outcome: "accepted" })),
      delivery: () => ({ accept: "send", decline: "local", cancel: "local" }),
    };
    return createElicitationClient({ channel });
  });
  return client;
}

function requestIn({ first }: Words) {
  return {
    type: "elicitation-request",
    elicitationId: "first",
    mode: "form",
    message: first.which,
    requester: { name: "Demo agent" },
    requestedSchema: {
      type: "object",
      properties: { hotel: { type: "string", title: first.hotel, enum: [...HOTELS] } },
      required: ["hotel"],
    },
  } as const;
}
