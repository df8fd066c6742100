import { en } from "elicit-kit/catalogues/en";
import type { User, WaitingNotice } from "elicit-kit/runtime";
import type { SlackClient } from "elicit-kit/slack";

export interface SlackNoticesOptions {
  /** `createSlackClient({ token })`, with the scope `chat:write`. */
  slack: SlackClient;
  /** The channel of direct messages between the app and the user. `undefined`: this user gets no message. */
  channelOf: (user: User) => Promise<string | undefined>;
  /** The URL of a conversation, for requests without a link. */
  chatUrl: (conversationId: string) => string;
}

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** In a Slack link, a bar ends the URL, so the text of the link may not contain one. */
const linkTo = (url: string, words: string) =>
  `<${escape(url).replaceAll("|", "%7C")}|${escape(words).replaceAll("|", "¦")}>`;

/** `onWaiting` by Slack: one message lists all waiting requests. */
export function createSlackNotices({ slack, channelOf, chatUrl }: SlackNoticesOptions) {
  return async ({ user, requests, more }: WaitingNotice): Promise<void> => {
    // Slack itself has notified the user of a question in a Slack thread.
    const waiting = requests.filter(({ surface }) => surface !== "slack");
    const channel = waiting.length === 0 ? undefined : await channelOf(user);
    if (channel === undefined) return;
    const lines = waiting.map(({ kind, service, link, conversationId }) =>
      linkTo(link ?? chatUrl(conversationId), en.title(kind, service)),
    );
    if (more > 0) lines.push(`${more} more questions wait for you.`);
    await slack.call("chat.postMessage", { channel, text: lines.join("\n"), unfurl_links: false });
  };
}
