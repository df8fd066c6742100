import "./page.css";
import { StrictMode, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { SlackState } from "../state.ts";
import { loadState, perform, signIn, watch } from "./api.ts";
import { Composer } from "./composer.tsx";
import { Modal } from "./modal.tsx";
import { Thread } from "./thread.tsx";

function SlackPage(): React.JSX.Element {
  const [state, setState] = useState<SlackState>();
  const [notice, setNotice] = useState("");
  const [isSignedIn, setSignedIn] = useState(false);
  const refresh = useCallback(() => void loadState().then(setState), []);

  useEffect(() => {
    void signIn().then(() => setSignedIn(true));
  }, []);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    refresh();
    return watch(refresh);
  }, [isSignedIn, refresh]);

  if (state === undefined) return <p className="loading">Loading…</p>;
  const roots = state.messages.filter(({ threadTs }) => threadTs === undefined);
  async function act(...args: Parameters<typeof perform>): Promise<unknown> {
    const { result, refused } = await perform(...args);
    setNotice(refused ?? "");
    refresh();
    return result;
  }
  return (
    <>
      <header>
        <h1># ops</h1>
        <p>A Slack in memory. The agent in it is the one of the chat.</p>
        <fieldset>
          <legend>You are</legend>
          {state.people.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === state.me}
              onClick={() => void signIn(name.toLowerCase()).then(refresh)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      </header>
      <main>
        {roots.map((root) => (
          <Thread key={root.ts} root={root} state={state} act={act} />
        ))}
        <Composer label="Message #ops" suggestions={roots.length === 0} act={act} />
      </main>
      {state.view ? (
        <Modal key={state.view.id} shown={state.view} notice={notice} act={act} />
      ) : (
        notice !== "" && <p role="alert">{notice}</p>
      )}
    </>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <SlackPage />
  </StrictMode>,
);
