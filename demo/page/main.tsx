import "elicit-kit/styles.css";
import "elicit-kit/dock.css";
import "elicit-kit/inbox.css";
import "elicit-kit/tokens.css";
import "./log.css";
import "./page.css";
import type { UIMessage } from "ai";
import { type ChatElicitation, createElicitation } from "elicit-kit/ai-sdk";
import { StrictMode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat.tsx";
import { Header } from "./header.tsx";
import {
  currentConversation,
  disconnect,
  loadHistory,
  loadSession,
  type Session,
  startConversation,
  startOver,
  switchUser,
} from "./session.ts";
import {
  applyLanguage,
  applyTheme,
  chosenLanguage,
  chosenTheme,
  ENGLISH,
  type Language,
  rememberLanguage,
  rememberTheme,
  speak,
  type Theme,
} from "./settings.ts";

interface Opened {
  session: Session;
  conversationId: string;
  history: UIMessage[];
}

function Demo(): React.JSX.Element {
  const [opened, setOpened] = useState<Opened>();
  const [hasFailed, setFailed] = useState(false);
  const [theme, setTheme] = useState(chosenTheme);
  const [language, setLanguage] = useState(chosenLanguage);
  const [spoken, setSpoken] = useState(language === "en" ? ENGLISH : undefined);

  const attempt = useCallback((work: Promise<Opened>) => {
    work.then(setOpened, () => setFailed(true));
  }, []);
  /** Counts the changes that may affect the session. A reply that was requested before a change is outdated. */
  const changes = useRef(0);
  const refresh = useCallback((work: Promise<Session>) => {
    changes.current += 1;
    const change = changes.current;
    work
      .then((session) => change === changes.current && setOpened((now) => now && { ...now, session }))
      // If the server cannot be reached, the page keeps its content.
      .catch(() => undefined);
  }, []);

  useEffect(() => attempt(loadSession().then((session) => open(session, currentConversation()))), [attempt]);
  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => {
    let isWanted = true;
    speak(language).then(
      (loaded) => isWanted && setSpoken(loaded),
      () => setFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  useEffect(() => spoken && applyLanguage(spoken), [spoken]);

  // A link in the inbox opens another conversation.
  useEffect(() => {
    const follow = (): void => attempt(loadSession().then((session) => open(session, currentConversation())));
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [attempt]);
  const client = useClient(opened?.session);

  if (spoken === undefined) return <p className="loading">{ENGLISH.words.loading}</p>;
  const { words } = spoken;
  if (hasFailed) return <p role="alert">{words.couldNotStart}</p>;
  if (opened === undefined || client === undefined) return <p className="loading">{words.loading}</p>;
  const { session, conversationId, history } = opened;
  return (
    <>
      <Header
        client={client}
        conversationId={conversationId}
        session={session}
        spoken={spoken}
        theme={theme}
        onNewChat={() => attempt(open(session, startConversation()))}
        onUser={(user) => attempt(switchUser(user).then((next) => open(next, startConversation())))}
        onTheme={(next: Theme) => {
          rememberTheme(next);
          setTheme(next);
        }}
        onLanguage={(next: Language) => {
          rememberLanguage(next);
          setLanguage(next);
        }}
        onDisconnect={() => refresh(disconnect().then(loadSession))}
        onStartOver={() =>
          attempt(
            startOver()
              .then(loadSession)
              .then((next) => open(next, startConversation())),
          )
        }
        onServers={(servers) => {
          changes.current += 1;
          setOpened((now) => now && { ...now, session: { ...now.session, servers } });
        }}
        onOpen={() => refresh(loadSession())}
      />
      <Chat
        key={conversationId}
        client={client}
        session={session}
        conversationId={conversationId}
        history={history}
        spoken={spoken}
      />
    </>
  );
}

/** Chat and inbox share one client, so that an answer in one appears in the other at once. */
function useClient(session: Session | undefined): ChatElicitation | undefined {
  const { api, authOrigin, user } = session ?? {};
  return useMemo(() => {
    if (api === undefined || authOrigin === undefined || user === undefined) return undefined;
    return createElicitation({
      api,
      trustedOrigin: authOrigin,
      credentials: "include",
      user,
      // The agent uses the language that the user has chosen on the page.
      headers: () => ({ "accept-language": chosenLanguage() }),
      // The hosted page returns users to this URL if they have continued in the same tab.
      body: () => ({ returnUrl: location.href }),
    });
  }, [api, authOrigin, user]);
}

async function open(session: Session, conversationId: string): Promise<Opened> {
  return { session, conversationId, history: await loadHistory(conversationId) };
}

applyTheme(chosenTheme());
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <Demo />
  </StrictMode>,
);
