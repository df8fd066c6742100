import type { SlackState } from "../state.ts";

const TOKEN = /<([@!])([^>|]+)(?:\|([^>]*))?>/g;

/** Renders mrkdwn as Slack does: mentions, times and escapes. Bold and other styles stay as plain text. */
export function Markup({
  text,
  state,
}: {
  text: string;
  state: Pick<SlackState, "people" | "app">;
}): React.JSX.Element {
  const parts: React.ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, kind, body = "", label = ""] = match;
    parts.push(plain(text.slice(end, match.index)), special(kind === "@", body, label, state, match.index));
    end = match.index + whole.length;
  }
  parts.push(plain(text.slice(end)));
  return <span className="markup">{parts}</span>;
}

const plain = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

function special(
  isPerson: boolean,
  body: string,
  label: string,
  state: Pick<SlackState, "people" | "app">,
  key: number,
): React.ReactNode {
  const seconds = /^date\^(\d+)\^/.exec(body)?.[1];
  if (seconds !== undefined) {
    return (
      <time key={key}>
        {new Date(Number(seconds) * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
      </time>
    );
  }
  const name = isPerson
    ? body === state.app
      ? "Assistant"
      : state.people.find(({ id }) => id === body)?.name
    : undefined;
  return (
    <b key={key} className="mention">
      {isPerson ? `@${name ?? body}` : label || body}
    </b>
  );
}
