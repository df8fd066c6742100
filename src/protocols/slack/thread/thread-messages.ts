import { readMetadata, readThread } from "./delivered.ts";
import { type SlackPlace } from "../people/place.ts";
import { text } from "../wire/fields.ts";
import type { SlackClient } from "../wire/web-client.ts";

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

/** The message that starts a turn, without the mention of the app and without Slack's escapes. */
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
    if (isReply) messages.push(message(ts, "assistant", unescape(words)));
  }
  return messages.slice(-MOST_MESSAGES);
}

/** The text of a message, without mentions of the app. */
export function plainWords(words: string, bot: string | undefined): string {
  const mention =
    bot === undefined ? /^\s*<@[UW]\w+(?:\|[^<>]*)?>/g : new RegExp(`<@${bot}(?:\\|[^<>]*)?>`, "g");
  return unescape(words.replaceAll(mention, " ")).trim();
}

const unescape = (words: string): string =>
  words.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
