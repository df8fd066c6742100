import { en } from "elicit-kit/catalogues/en";
import type { User, WaitingNotice } from "elicit-kit/runtime";
import type { SlackClient } from "elicit-kit/slack";

export interface SlackNoticesOptions {
  /** `createSlackClient({ token })`, with the scope `chat:write`. */
  slack: SlackClient;
  /** The direct messages of the app with the user. `undefined`: this user gets no message. */
  channelOf: (user: User) => Promise<string | undefined>;
  /** Where a conversation is, for requests without a link. */
  chatUrl: (conversationId: string) => string;
}

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A bar ends the address in a link of Slack, and its words may have none. */
const linkTo = (url: string, words: string) =>
  `<${escape(url).replaceAll("|", "%7C")}|${escape(words).replaceAll("|", "¦")}>`;

/** `onWaiting` by Slack: one message tells of all that waits. */
export function createSlackNotices({ slack, channelOf, chatUrl }: SlackNoticesOptions) {
  return async ({ user, requests }: WaitingNotice): Promise<void> => {
    // Slack itself has notified the user of a question that was asked in a thread there.
    const waiting = requests.filter(({ surface }) => surface !== "slack");
    const channel = waiting.length === 0 ? undefined : await channelOf(user);
    if (channel === undefined) return;
    const lines = waiting.map(({ kind, service, link, conversationId }) =>
      linkTo(link ?? chatUrl(conversationId), en.title(kind, service)),
    );
    await slack.call("chat.postMessage", { channel, text: lines.join("\n"), unfurl_links: false });
  };
}
