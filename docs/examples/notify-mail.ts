import { en } from "elicit-kit/catalogues/en";
import type { User, WaitingNotice } from "elicit-kit/runtime";
import { createTransport } from "nodemailer";

export interface MailNoticesOptions {
  /** Such as `smtps://user:password@smtp.example.com`. */
  smtp: string;
  from: { name: string; address: string };
  /** `undefined`: this user gets no mail. */
  addressOf: (user: User) => Promise<string | undefined>;
  /** The URL of a conversation, for requests without a link. */
  chatUrl: (conversationId: string) => string;
}

/** `onWaiting` by e-mail: one message lists all waiting requests. */
export function createMailNotices({ smtp, from, addressOf, chatUrl }: MailNoticesOptions) {
  // Together shorter than the 30 seconds of `onWaiting`, so that no message is in flight when the next attempt begins.
  const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
  const transport = createTransport({ url: smtp, ...limits });
  return async ({ id, user, requests, more }: WaitingNotice): Promise<void> => {
    const to = await addressOf(user);
    if (to === undefined) return;
    const titles = requests.map(({ kind, service }) => en.title(kind, service));
    const links = requests.map(({ link, conversationId }) => link ?? chatUrl(conversationId));
    await transport.sendMail({
      from,
      to: { name: user.name ?? "", address: to },
      subject: titles.length === 1 ? titles[0] : `${titles.length + more} questions wait for you`,
      // The notice has the oldest 100 requests.
      text: titles.map((title, index) => `${title}:\n${links[index]}\n`).join("\n"),
      // The id is the same when a notice is sent again: mail programs show only one of two messages with the same id.
      messageId: `<${id}@${from.address.split("@").at(-1)}>`,
      // Prevents automatic replies such as “I am on holiday”.
      headers: { "Auto-Submitted": "auto-generated" },
    });
  };
}
