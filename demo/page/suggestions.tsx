import { Icon, type IconName } from "./icons.tsx";
import type { Session } from "./session.ts";
import type { SuggestionId, Words } from "./words/words.ts";

interface Suggestion {
  readonly id: SuggestionId;
  readonly icon: IconName;
  /** What is sent. The script understands English only. */
  readonly prompt: string;
  /** Only for people who have added the example server. */
  readonly needsExample?: true;
  /** Only once the user has said this. */
  readonly after?: string;
}

const TEAM_DAY = "Plan a team day";

/** One suggestion for each kind of question. A new one needs its words in `words/`, and a prompt that the script knows. */
const SUGGESTIONS: readonly Suggestion[] = [
  { id: "connect", icon: "link", prompt: "Create an issue about the login bug" },
  { id: "form", icon: "form", prompt: "Book me a flight" },
  { id: "both", icon: "both", prompt: "Do both: an issue and a flight" },
  { id: "mcp", icon: "form", prompt: TEAM_DAY },
  { id: "mcpNovember", icon: "form", prompt: "Plan a team day, in MCP 2025-11-25", after: TEAM_DAY },
  { id: "mcpJune", icon: "form", prompt: "Plan a team day, in MCP 2025-06-18", after: TEAM_DAY },
  { id: "a2a", icon: "agents", prompt: "Ask the travel agent for a weekend" },
  { id: "ownServer", icon: "link", prompt: "Find the travel policy in the wiki", needsExample: true },
  { id: "moreRights", icon: "link", prompt: "Publish the release notes in the wiki", needsExample: true },
];

function suggestionsFor(
  { servers, exampleServer }: Session,
  said: readonly string[] = [],
): readonly Suggestion[] {
  const hasExample = servers.some(({ url }) => url === exampleServer);
  return SUGGESTIONS.filter(
    ({ needsExample, after }) =>
      (hasExample || needsExample === undefined) && (after === undefined || said.includes(after)),
  );
}

interface WelcomeProps {
  session: Session;
  words: Words;
  onTry: (prompt: string) => void;
}

/** An empty chat: what this is, and what to try. */
export function Welcome({ session, words, onTry }: WelcomeProps): React.JSX.Element {
  return (
    <section className="hello">
      <p className="thread" aria-hidden="true">
        <i />
        <span data-wait="">
          <Icon name="pause" />
          {words.asksYou}
        </span>
        <i data-wait="" />
        <span>
          <Icon name="play" />
          {words.goesOn}
        </span>
        <i />
      </p>
      <h2>{words.title}</h2>
      <p>{words.lead}</p>
      <ul className="tries">
        {suggestionsFor(session).map(({ id, icon, prompt }) => (
          <li key={id}>
            <button type="button" onClick={() => onTry(prompt)}>
              <Icon name={icon} />
              <Icon name="next" />
              <b>{words.suggestions[id]}</b>
              <q lang="en" dir="ltr">
                {prompt}
              </q>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface NextProps extends WelcomeProps {
  /** The user's messages so far. */
  said: readonly string[];
}

/** The remaining suggestions, after an answer. */
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
