import type { FakeMessage } from "elicit-kit/slack/testing";
import type { Act } from "../act.ts";
import type { SlackState } from "../state.ts";
import { Blocks } from "./blocks.tsx";
import { Composer } from "./composer.tsx";
import { Markup } from "./markup.tsx";

type Perform = (act: Act) => Promise<unknown>;

/** A message of the channel with its replies. */
export function Thread({
  root,
  state,
  act,
}: {
  root: FakeMessage;
  state: SlackState;
  act: Perform;
}): React.JSX.Element {
  const replies = state.messages.filter(({ threadTs }) => threadTs === root.ts);
  const told = state.ephemerals.filter(({ threadTs }) => threadTs === root.ts);
  return (
    <section className="thread" aria-label={`Thread of ${root.ts}`}>
      <Message message={root} state={state} act={act} />
      <div className="replies">
        {replies.map((message) => (
          <Message key={message.ts} message={message} state={state} act={act} />
        ))}
        {state.working.includes(root.ts) && (
          <p className="working">
            Assistant is working…
            <button type="button" onClick={() => void act({ do: "stop", thread: root.ts })}>
              Stop
            </button>
          </p>
        )}
        {told.map(({ text }, index) => (
          // Ephemeral messages have no id.
          <p className="ephemeral" key={index}>
            <small>Only visible to you</small>
            <Markup text={text} state={state} />
          </p>
        ))}
        <Composer label="Reply" thread={root.ts} act={act} />
      </div>
    </section>
  );
}

function Message({
  message,
  state,
  act,
}: {
  message: FakeMessage;
  state: SlackState;
  act: Perform;
}): React.JSX.Element {
  const { user, ts, isFromApp, text, blocks } = message;
  const name = isFromApp ? "Assistant" : (state.people.find(({ id }) => id === user)?.name ?? user);
  const time = new Date(Number(ts) * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <article data-streaming={message.streamingState}>
      <span className="avatar" data-app={isFromApp} aria-hidden="true">
        {name.charAt(0)}
      </span>
      <div>
        <h2>
          {name} {isFromApp && <small className="badge">APP</small>} <small>{time}</small>
          {message.updates > 0 && <small> (edited)</small>}
        </h2>
        {blocks.length > 0 ? (
          <Blocks
            blocks={blocks}
            state={state}
            onPress={async (button) => void (await act({ do: "press", ts, button }))}
          />
        ) : (
          <Markup text={text} state={state} />
        )}
      </div>
    </article>
  );
}
