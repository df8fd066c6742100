import { Icon, type IconName } from "./icons.tsx";
import type { SuggestionId, Words } from "./words/words.ts";

interface Suggestion {
  readonly id: SuggestionId;
  readonly icon: IconName;
  /** What is sent. The script understands English only. */
  readonly prompt: string;
}

/** What the demo can show, one of a kind. One more needs its words in `words/`, and the script must know its prompt. */
const SUGGESTIONS: readonly Suggestion[] = [
  { id: "connect", icon: "link", prompt: "Create an issue about the login bug" },
  { id: "form", icon: "form", prompt: "Book me a flight" },
  { id: "both", icon: "both", prompt: "Do both: an issue and a flight" },
  { id: "mcp", icon: "form", prompt: "Plan a team day" },
];

interface WelcomeProps {
  words: Words;
  onTry: (prompt: string) => void;
}

/** An empty chat: what this is, and what to try. */
export function Welcome({ words, onTry }: WelcomeProps): React.JSX.Element {
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
        {SUGGESTIONS.map(({ id, icon, prompt }) => (
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
  /** What the person has said so far. */
  said: readonly string[];
}

/** After an answer: what is left to try. */
export function Next({ words, onTry, said }: NextProps): React.JSX.Element | null {
  const left = SUGGESTIONS.filter(({ prompt }) => !said.includes(prompt));
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
