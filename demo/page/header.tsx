import type { ElicitationClient } from "elicit-kit/client";
import { useId, useRef } from "react";
import { Icon, Mark } from "./icons.tsx";
import { Inbox } from "./inbox.tsx";
import { Servers } from "./servers.tsx";
import type { OwnServer, Session } from "./session.ts";
import { type Language, LANGUAGES, type Spoken, type Theme, THEMES } from "./settings.ts";

export interface HeaderProps {
  client: ElicitationClient;
  conversationId: string;
  session: Session;
  spoken: Spoken;
  theme: Theme;
  onNewChat: () => void;
  onUser: (user: string) => void;
  onTheme: (theme: Theme) => void;
  onLanguage: (language: Language) => void;
  onDisconnect: () => void;
  onStartOver: () => void;
  onServers: (servers: readonly OwnServer[]) => void;
  /** Called when the menu or the list of servers opens, to reload the connected accounts. */
  onOpen: () => void;
}

export function Header(props: HeaderProps): React.JSX.Element {
  const { session, spoken, onNewChat } = props;
  const { words } = spoken;
  const menu = useId();
  const servers = useRef<HTMLDialogElement>(null);
  return (
    <header>
      <Mark />
      <h1>
        elicit-kit <span>{words.demo}</span>
      </h1>
      <button
        type="button"
        className="button servers-button"
        aria-label={words.servers.title}
        onClick={() => {
          servers.current?.showModal();
          props.onOpen();
        }}
      >
        <Icon name="link" />
        <span>{words.servers.title}</span>
      </button>
      <Inbox client={props.client} conversationId={props.conversationId} spoken={spoken} />
      <button type="button" className="account" popoverTarget={menu}>
        <span className="initial" aria-hidden="true">
          {session.user.charAt(0).toUpperCase()}
        </span>
        <span className="visually-hidden">{words.signedInAs} </span>
        {session.user}
        <Icon name="down" />
      </button>
      <button type="button" className="button new-chat" onClick={onNewChat}>
        <Icon name="plus" />
        <span>{words.newChat}</span>
      </button>
      <Menu {...props} id={menu} />
      <Servers dialog={servers} session={session} words={words} onChange={props.onServers} />
    </header>
  );
}

/** The settings menu. The browser opens it and closes it: by its button, a click outside, or Escape. */
function Menu({
  id,
  session,
  spoken: { language, words },
  theme,
  onUser,
  onTheme,
  onLanguage,
  onDisconnect,
  onStartOver,
  onOpen,
}: HeaderProps & { id: string }): React.JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  const languageId = useId();
  function andClose(act: () => void): () => void {
    return () => {
      menu.current?.hidePopover();
      act();
    };
  }
  return (
    <div
      ref={menu}
      id={id}
      className="menu"
      popover="auto"
      onToggle={(event) => event.newState === "open" && onOpen()}
    >
      <Choice
        legend={words.signedInAs}
        value={session.user}
        options={session.users}
        label={(user) => nameOf(user, session.company)}
        onChoose={onUser}
      />
      <Choice
        legend={words.theme}
        value={theme}
        options={THEMES}
        label={(one) => words.themes[one]}
        onChoose={onTheme}
      />
      <div>
        <label htmlFor={languageId}>{words.language}</label>
        <select
          id={languageId}
          value={language}
          onChange={(event) => onLanguage(event.target.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <hr />
      {session.connected.length === 0 ? (
        <p>{words.nothingConnected}</p>
      ) : (
        <button type="button" className="button" onClick={andClose(onDisconnect)}>
          {words.disconnect(session.connected.join(", "))}
        </button>
      )}
      <a
        className="button"
        href={accountsUrl(session.authOrigin, language, theme)}
        target="_blank"
        rel="noopener"
        onClick={andClose(() => {})}
      >
        {words.accounts}
      </a>
      <a
        className="button"
        href={new URL("/operator", session.api).href}
        target="_blank"
        rel="noopener"
        onClick={andClose(() => {})}
      >
        {words.operatorPage}
      </a>
      <button
        type="button"
        className="button"
        onClick={andClose(() => confirm(words.startOverQuestion) && onStartOver())}
        aria-describedby={`${id}-hint`}
      >
        {words.startOver}
      </button>
      <p id={`${id}-hint`}>{words.startOverHint}</p>
    </div>
  );
}

/** A user with their company, if they have one. */
const nameOf = (user: string, { name, users }: Session["company"]) =>
  users.includes(user) ? `${user} · ${name}` : user;

/** The page of the user's accounts, in the language and theme of the chat. */
function accountsUrl(authOrigin: string, language: Language, theme: Theme): string {
  const look = new URLSearchParams({ lang: language, ...(theme !== "system" && { theme }) });
  return `${authOrigin}/auth/accounts?${look}`;
}

interface ChoiceProps<Option extends string> {
  legend: string;
  value: Option;
  options: readonly Option[];
  label?: (option: Option) => string;
  onChoose: (option: Option) => void;
}

function Choice<Option extends string>({
  legend,
  value,
  options,
  label = (option) => option,
  onChoose,
}: ChoiceProps<Option>): React.JSX.Element {
  const name = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="choice">
        {options.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            {label(option)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
