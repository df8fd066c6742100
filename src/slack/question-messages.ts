import type { ElicitationRequest } from "../protocol/contract.ts";
import type { SlackLanguage } from "./language.ts";
import { deliveryMetadata } from "./delivered.ts";
import type { SlackPlace } from "./place.ts";
import { type AnswerLine, requestMessage } from "./request-message.ts";
import type { SlackClient } from "./web-client.ts";

/** The messages of the questions of one turn: each is posted once and then updated. */
export interface QuestionMessages {
  /** Posts the question, or updates its message. `after` is the position in the log. */
  show(request: ElicitationRequest, after: number): Promise<void>;
  has(elicitationId: string): boolean;
}

/** Slack must not turn parts of a text into mentions or links. */
const VERBATIM = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false } as const;

export function createQuestionMessages(options: {
  client: SlackClient;
  place: SlackPlace;
  turnId: string;
  language: SlackLanguage;
  /** Messages of an earlier run: the `ts` by the id of the request. */
  posted: ReadonlyMap<string, string>;
  linkFor: (elicitationId: string) => string | undefined;
  /** What the person has answered. */
  answersTo: (request: ElicitationRequest) => Promise<readonly AnswerLine[]>;
}): QuestionMessages {
  const { client, place, turnId, language } = options;
  const posted = new Map(options.posted);
  const shown = new Map<string, string>();

  return {
    has: (elicitationId) => posted.has(elicitationId),
    async show(request, after) {
      const { elicitationId } = request;
      const message = requestMessage(request, {
        ...language,
        person: place.person.user,
        link: options.linkFor(elicitationId),
        answers: await options.answersTo(request),
      });
      const content = JSON.stringify(message);
      if (shown.get(elicitationId) === content) return;
      const ts = posted.get(elicitationId);
      if (ts === undefined) {
        const { metadata } = deliveryMetadata({ turnId, user: place.person.user, after, elicitationId });
        const where = { channel: place.channel, thread_ts: place.thread };
        const reply = await client.call("chat.postMessage", { ...where, ...message, ...VERBATIM, metadata });
        if (typeof reply["ts"] === "string") posted.set(elicitationId, reply["ts"]);
      } else {
        await updateQuestion(client, { channel: place.channel, ts }, message);
      }
      shown.set(elicitationId, content);
    },
  };
}

/** Changes the message of a question. */
export async function updateQuestion(
  client: SlackClient,
  where: { readonly channel: string; readonly ts: string },
  message: ReturnType<typeof requestMessage>,
): Promise<void> {
  await client.call("chat.update", { ...where, ...message, parse: "none", link_names: false });
}
