import { useId, useState } from "react";
import { FirstTurn } from "./first-turn.tsx";
import { Icon, type IconName } from "./icons.tsx";
import type { Session } from "./session.ts";
import type { Spoken } from "./settings.ts";
import type { SuggestionId, Words } from "./words/en.ts";

interface Suggestion {
  readonly id: SuggestionId;
  readonly icon: IconName;
  /** The message that is sent. The script understands English only. */
  readonly prompt: string;
  /** Only for users who have added the example server. */
  readonly needsExample?: true;
  /** Only for users of the company. */
  readonly needsCompany?: true;
  /** Shown only after the user has sent this message. */
  readonly after?: string;
}

const TEAM_DAY = "Plan a team day";
/** A message for the example server. */
export const ASK_EXAMPLE = "Find the travel policy in the wiki";
const PUBLISH = "Publish the release notes in the wiki";
const MAIL = "Send a mail about the release";

/**
 * One suggestion for each kind of request. A new one needs its texts in `words/`, and a prompt that the script
 * understands.
 */
const SUGGESTIONS: readonly Suggestion[] = [
  { id: "connect", icon: "link", prompt: "Create an issue about the login bug" },
  { id: "form", icon: "form", prompt: "Book me a flight" },
  { id: "both", icon: "both", prompt: "Do both: an issue and a flight" },
  { id: "mcp", icon: "form", prompt: TEAM_DAY },
  { id: "mcpNovember", icon: "form", prompt: "Plan a team day, in MCP 2025-11-25", after: TEAM_DAY },
  { id: "mcpJune", icon: "form", prompt: "Plan a team day, in MCP 2025-06-18", after: TEAM_DAY },
  { id: "approve", icon: "form", prompt: "Refund my last order" },
  { id: "policy", icon: "form", prompt: "Refund 5 euros of my last order" },
  { id: "previews", icon: "form", prompt: "Write the notes of version 0.1" },
  { id: "background", icon: "form", prompt: "Book me a flight, and check the weather meanwhile" },
  { id: "mail", icon: "link", prompt: MAIL },
  {
    id: "otherMail",
    icon: "link",
    prompt: "Send a mail about the release from another account",
    after: MAIL,
  },
  { id: "a2a", icon: "agents", prompt: "Ask the travel agent for a weekend" },
  { id: "ownServer", icon: "link", prompt: ASK_EXAMPLE, needsExample: true },
  { id: "moreRights", icon: "link", prompt: PUBLISH, needsExample: true },
  { id: "company", icon: "link", prompt: ASK_EXAMPLE, needsCompany: true },
  { id: "companyRefuses", icon: "link", prompt: PUBLISH, needsCompany: true },
];

function suggestionsFor(
  { user, servers, exampleServer, company }: Session,
  said: readonly string[] = [],
): readonly Suggestion[] {
  const hasExample = servers.some(({ url }) => url === exampleServer);
  const isOfCompany = company.users.includes(user);
  return SUGGESTIONS.filter(
    ({ needsExample, needsCompany, after }) =>
      (hasExample || needsExample === undefined) &&
      (isOfCompany || needsCompany === undefined) &&
      (after === undefined || said.includes(after)),
  );
}

interface WelcomeProps {
  session: Session;
  words: Words;
  onTry: (prompt: string) => void;
}

/** The suggestions that are visible at once; the others are under "More". */
const IN_SIGHT = ["connect", "form", "both"] as const;

/** An empty chat: what the demo is, how to install the kit, and what to try. */
export function Welcome({
  session,
  spoken,
  onTry,
}: Pick<WelcomeProps, "session" | "onTry"> & { spoken: Spoken }): React.JSX.Element {
  const { words } = spoken;
  const more = useId();
  return (
    <section className="hello">
      <div className="hello-head">
        <div>
          <h2>{words.title}</h2>
          <p>{words.lead}</p>
        </div>
        <Install words={words} />
      </div>
      <FirstTurn spoken={spoken} user={session.user} />
      <div className="tries">
        {IN_SIGHT.map((id) => (
          <InSight key={id} id={id} spoken={spoken} onTry={onTry} />
        ))}
        <button type="button" className="button more-button" popoverTarget={more}>
          {words.more}
          <Icon name="down" />
        </button>
        <ul id={more} className="more" popover="auto">
          {suggestionsFor(session)
            .filter(({ id }) => !IN_SIGHT.some((shown) => shown === id))
            .map((one) => (
              <Try key={one.id} suggestion={one} words={words} onTry={onTry} />
            ))}
          <li>
            <a href={session.otherHost}>
              <Icon name="next" />
              <b>{words.otherHost.name}</b>
              <span>{words.otherHost.about}</span>
            </a>
          </li>
        </ul>
      </div>
    </section>
  );
}

/** A suggestion as one line: its message where users can read it, on a phone one word. */
function InSight({
  id,
  spoken: { language, words },
  onTry,
}: Pick<WelcomeProps, "onTry"> & {
  id: (typeof IN_SIGHT)[number];
  spoken: Spoken;
}): React.JSX.Element | null {
  const suggestion = SUGGESTIONS.find((one) => one.id === id);
  if (suggestion === undefined) return null;
  const { icon, prompt } = suggestion;
  const isReadable = language === "en";
  return (
    <button type="button" onClick={() => onTry(prompt)}>
      <Icon name={icon} />
      <b className="short">{words.shortly[id]}</b>
      {!isReadable && <b className="long">{words.suggestions[id]}</b>}{" "}
      <span className={isReadable ? "long" : "visually-hidden"} lang="en" dir="ltr">
        {prompt}
      </span>
    </button>
  );
}

function Try({
  suggestion: { id, icon, prompt },
  words,
  onTry,
}: { suggestion: Suggestion } & Omit<WelcomeProps, "session">): React.JSX.Element {
  return (
    <li>
      <button type="button" onClick={() => onTry(prompt)}>
        <Icon name={icon} />
        <b>{words.suggestions[id]}</b>
        <q lang="en" dir="ltr">
          {prompt}
        </q>
      </button>
    </li>
  );
}

const INSTALL = "npm install elicit-kit";

function Install({ words }: { words: Words }): React.JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(INSTALL).then(() => setCopied(true));
  return (
    <p className="install">
      <code dir="ltr">{INSTALL}</code>
      {/* If the clipboard is not available, users can still select the line. */}
      <button type="button" className="button" onClick={() => void copy().catch(() => undefined)}>
        {isCopied ? words.copied : words.copy}
      </button>
    </p>
  );
}

interface NextProps extends WelcomeProps {
  /** The user's messages so far. */
  said: readonly string[];
}

/** The remaining suggestions, after a turn. */
export function Next({ session, words, onTry, said }: NextProps): React.JSX.Element | null {
  const left = suggestionsFor(session, said).filter(({ prompt }) => !said.includes(prompt));
  if (left.length === 0) return null;
  return (
    <ul className="next">
      {left.map(({ id, icon, prompt }) => (
        <li key={id}>
          <button type="button" className="button" onClick={() => onTry(prompt)}>
            <Icon name={icon} />
            {words.suggestions[id]}
          </button>
        </li>
      ))}
    </ul>
  );
}
