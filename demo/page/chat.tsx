import { useChat, type UseChatHelpers } from "@ai-sdk/react";
import { isToolUIPart, type UIMessage } from "ai";
import { composerOf, ElicitationAnnouncer, useElicitation } from "elicit-kit";
import type { ChatElicitation } from "elicit-kit/ai-sdk";
import { isOpen } from "elicit-kit/client";
import { useEffect, useRef, useState } from "react";
import { isRefusal } from "../refusal.ts";
import { Composer } from "./composer.tsx";
import { useFollowEnd } from "./follow-end.ts";
import { Elsewhere, Log } from "./log.tsx";
import type { Session } from "./session.ts";
import type { Spoken } from "./settings.ts";
import { Next, Welcome } from "./suggestions.tsx";
import { TurnStrip } from "./turn-strip.tsx";
import { type Turn, useTurn } from "./use-turn.ts";
import { useOutOfSight, WaitingPill } from "./waiting-pill.tsx";
import type { Words } from "./words/en.ts";

interface ChatProps {
  client: ChatElicitation;
  session: Session;
  conversationId: string;
  history: UIMessage[];
  spoken: Spoken;
}

export function Chat({ client, session, conversationId, history, spoken }: ChatProps): React.JSX.Element {
  const { words, catalogue } = spoken;
  const { elicitations, chatOptions } = useElicitation({
    client,
    id: conversationId,
    messages: history,
  });
  const chat = useChat(chatOptions);
  const isRead = useOpenTurn(history, chat.resumeStream);
  const { messages, status } = chat;
  const busy = status === "submitted" || status === "streaming";
  const turn = useTurn({ conversationId, messages, status, elicitations });
  const send = useSend(chat, busy);
  const main = useRef<HTMLElement>(null);
  useFollowEnd(main, messages.length > 0);
  const [outOfSight, watch] = useOutOfSight();
  const done = promptsDone(messages);
  const composer = composerOf(elicitations, catalogue);

  return (
    <>
      <main ref={main}>
        {messages.length === 0 ? (
          <Welcome session={session} spoken={spoken} onTry={send} />
        ) : (
          <h2 className="visually-hidden">{words.conversation}</h2>
        )}
        <ElicitationAnnouncer>
          <Log
            user={session.user}
            messages={messages}
            elicitations={elicitations}
            words={words}
            catalogue={catalogue}
            watch={watch}
            timeline={turn?.timeline}
            busy={busy}
            onAskAgain={send}
          />
          {isRead && !busy && (
            <Elsewhere
              messages={messages}
              elicitations={elicitations}
              catalogue={catalogue}
              watch={watch}
              onAskAgain={send}
            />
          )}
        </ElicitationAnnouncer>
        {(turn?.phase === "done" || turn?.phase === "stopped") && (
          <Next session={session} words={words} onTry={send} said={done} />
        )}
        {chat.error !== undefined && (
          <p role="alert">
            {problemText(chat.error, words)}{" "}
            <button type="button" className="button" onClick={() => void chat.regenerate()}>
              {words.tryAgain}
            </button>
          </p>
        )}
      </main>
      <footer className="dock">
        <Composer
          words={words}
          placeholder={placeholderOf(turn, words)}
          busy={busy}
          propose={composer.propose}
          sendAsMessage={catalogue.sendAsMessage}
          onSend={send}
          onStop={() => void chat.stop()}
          under={
            composer.hint ?? (session.model === undefined ? words.scripted : words.answeredBy(session.model))
          }
        >
          {turn !== undefined && (
            <TurnStrip
              key={turn.id}
              turn={turn}
              words={words}
              waiting={
                <WaitingPill
                  words={words}
                  count={elicitations.filter((item) => isOpen(item) && item.status !== "answered").length}
                  next={outOfSight}
                />
              }
            />
          )}
        </Composer>
      </footer>
    </>
  );
}

/** The user's messages whose turn has had a result. After a decline or a stop, the suggestion can be tried again. */
function promptsDone(messages: readonly UIMessage[]): readonly string[] {
  return messages.flatMap(({ role, parts }, at) => {
    const answer = messages[at + 1];
    const calls = answer?.parts.filter((part) => isToolUIPart(part)) ?? [];
    const isDone = calls.every((part) => part.state === "output-available" && !isRefusal(part.output));
    if (role !== "user" || answer === undefined || !isDone) return [];
    return parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  });
}

function placeholderOf(turn: Turn | undefined, words: Words): string {
  if (turn === undefined) return words.askForSomething;
  return turn.phase === "paused" ? words.answerAbove : words.writeAMessage;
}

/**
 * Sends a message. If a turn is running, stops the turn first, which withdraws its requests, because an open stream
 * accepts no second message.
 */
function useSend(
  { sendMessage, stop }: Pick<UseChatHelpers<UIMessage>, "sendMessage" | "stop">,
  busy: boolean,
): (text: string) => void {
  const next = useRef<string>(undefined);
  useEffect(() => {
    const text = next.current;
    if (busy || text === undefined) return;
    next.current = undefined;
    void sendMessage({ text });
  }, [busy, sendMessage]);
  return (text) => {
    if (!busy) return void sendMessage({ text });
    next.current = text;
    void stop();
  };
}

/**
 * Reads the stream of the open turn. Returns whether that is done: until then, a request may still get its place in the
 * log, and a card that moves there would lose the focus.
 */
function useOpenTurn(
  history: readonly UIMessage[],
  resumeStream: UseChatHelpers<UIMessage>["resumeStream"],
): boolean {
  const isOpenTurn = history.at(-1)?.role === "user";
  const [isRead, setRead] = useState(!isOpenTurn);
  useEffect(() => {
    // The chat reports its own errors, and keeps its content.
    if (isOpenTurn) void resumeStream().finally(() => setRead(true));
  }, [isOpenTurn, resumeStream]);
  return isRead;
}

/** The user reads a sentence of the page. The texts of the server are for developers. */
function problemText({ cause }: Error, words: Words): string {
  const { status }: { status?: unknown } = Object(cause);
  if (status === 401) return words.signedOut;
  return status === 429 || status === 503 ? words.busy : words.wentWrong;
}
