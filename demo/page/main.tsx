import "elicit-kit/styles.css";
import "./page.css";
import type { UIMessage } from "ai";
import { StrictMode, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat.tsx";
import {
  currentConversation,
  loadHistory,
  loadSession,
  type Session,
  startConversation,
  switchUser,
} from "./session.ts";

interface Opened {
  session: Session;
  conversationId: string;
  history: UIMessage[];
}

function Demo(): React.JSX.Element {
  const [opened, setOpened] = useState<Opened>();
  const [error, setError] = useState<string>();

  const attempt = useCallback((work: Promise<Opened>) => {
    work.then(setOpened, (reason: unknown) => setError(String(reason)));
  }, []);

  useEffect(() => attempt(loadSession().then((session) => open(session, currentConversation()))), [attempt]);

  if (error !== undefined) return <p role="alert">The demo could not start: {error}</p>;
  if (opened === undefined) return <p className="loading">Loading…</p>;
  const { session, conversationId, history } = opened;
  return (
    <>
      <header>
        <h1>elicit-kit demo</h1>
        <label>
          Signed in as{" "}
          <select
            value={session.user}
            onChange={(event) =>
              attempt(switchUser(event.target.value).then((next) => open(next, startConversation())))
            }
          >
            {session.users.map((user) => (
              <option key={user}>{user}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => attempt(open(session, startConversation()))}>
          New chat
        </button>
      </header>
      <Chat key={conversationId} session={session} conversationId={conversationId} history={history} />
    </>
  );
}

async function open(session: Session, conversationId: string): Promise<Opened> {
  return { session, conversationId, history: await loadHistory(conversationId) };
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Demo />
  </StrictMode>,
);
