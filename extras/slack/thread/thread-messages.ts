import { readMetadata, readThread } from "./delivered.ts";
import { type SlackPlace } from "../people/place.ts";
import { text } from "../wire/payload.ts";
import type { SlackClient } from "../wire/web-client.ts";
import { withoutSlash } from "../../../src/base/urls.ts";

/** A message for the agent, in the format of UI messages. */
export interface AgentMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly [{ readonly type: "text"; readonly text: string }];
}

/** The maximum number of messages of a thread for the agent: the newest. */
const MOST_MESSAGES = 50;

const message = (id: string, role: AgentMessage["role"], words: string): AgentMessage => ({
  id,
  role,
  parts: [{ type: "text", text: words }],
});

/** The message that starts a turn, without the mention of the app, as people see it. */
export function messageOf(ts: string, words: string, bot: string | undefined): AgentMessage {
  return message(ts, "user", plainWords(words, bot));
}

/**
 * The earlier messages of the user and the app in a thread. Messages of other users are left out, and so are replies to
 * them, because a colleague's text must not influence a turn that acts for this user.
 */
export async function earlierMessages(
  client: SlackClient,
  place: SlackPlace,
  before: string,
): Promise<readonly AgentMessage[]> {
  const messages: AgentMessage[] = [];
  for await (const one of readThread(client, place)) {
    const [ts, words] = [text(one["ts"]), text(one["text"])];
    if (ts === undefined || words === undefined || Number(ts) >= Number(before)) continue;
    if (one["user"] === place.person.user) messages.push(messageOf(ts, words, place.bot));
    const reply = readMetadata(one, place.bot);
    const isReply = reply?.["user"] === place.person.user && reply["elicitation"] === undefined;
    if (isReply) messages.push(message(ts, "assistant", asShown(words)));
  }
  return messages.slice(-MOST_MESSAGES);
}

/** The text of a message, without mentions of the app. */
export function plainWords(words: string, bot: string | undefined): string {
  const mention =
    bot === undefined ? /^\s*<@[UW]\w+(?:\|[^<>]*)?>/g : new RegExp(`<@${bot}(?:\\|[^<>]*)?>`, "g");
  return asShown(words.replaceAll(mention, " ")).trim();
}

/** A link, a mention or a date of Slack's markup: `<where|label>`, with an optional label. */
const MARKUP = /<([^<>|\s][^<>|]*)(?:\|([^<>]*))?>/g;

/** The text that people see in Slack. A link whose label says something else keeps its address in brackets. */
function asShown(words: string): string {
  return unescape(words.replaceAll(MARKUP, (_, where: string, label = "") => shownAs(where, String(label))));
}

function shownAs(where: string, label: string): string {
  const [kind, name] = [where.charAt(0), where.slice(1)];
  if (kind === "#" || kind === "@") return kind + (label === "" ? name : label.replace(/^[#@]/, ""));
  // Groups, dates, and everybody who is here.
  if (kind === "!") return label === "" ? `@${name}` : label;
  const address = where.replace(/^(?:mailto|tel):/, "");
  if (label === "") return address;
  const isShown = where.startsWith("tel:") || withoutScheme(address) === withoutScheme(label);
  return isShown ? label : `${label} (${address})`;
}

const withoutScheme = (address: string): string => withoutSlash(address.replace(/^https?:\/\//, ""));

const unescape = (words: string): string =>
  words.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
