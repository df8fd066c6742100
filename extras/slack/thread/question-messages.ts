import type { Clock } from "../../../src/base/clock.ts";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import type { SlackLanguage } from "../blocks/text.ts";
import { deliveryMetadata, findQuestion } from "./delivered.ts";
import type { SlackPlace } from "../people/place.ts";
import { type AnswerLine, type SlackMessage, requestMessage } from "../blocks/request-message.ts";
import { SlackApiError, type SlackClient, isUnreachable } from "../wire/web-client.ts";

/** The messages of the requests of one turn: each is posted once and then updated. */
export interface QuestionMessages {
  /** Posts the request, or updates its message. `after` is the position in the log. */
  show(request: ElicitationRequest, after: number): Promise<void>;
  has(elicitationId: string): boolean;
}

/** Prevents Slack from turning parts of a text into mentions or links. */
const VERBATIM = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** Half a minute, including the delays. */
const MOST_REPEATS = 5;
const REPEAT_AFTER_MS = 1000;

export function createQuestionMessages(options: {
  client: SlackClient;
  clock: Clock;
  place: SlackPlace;
  turnId: string;
  language: SlackLanguage;
  /** Messages of an earlier run: the `ts` by the id of the request. */
  posted: ReadonlyMap<string, string>;
  linkFor: (elicitationId: string) => string | undefined;
  /** Returns the user's answers. */
  answersTo: (request: ElicitationRequest) => Promise<readonly AnswerLine[]>;
}): QuestionMessages {
  const { client, clock, place, turnId, language } = options;
  const posted = new Map(options.posted);
  const shown = new Map<string, string>();

  /**
   * The user cannot answer a request that is not visible. After a failure it is posted again, unless the thread has it.
   */
  async function post(
    elicitationId: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    for (let tries = 0; ; tries += 1) {
      try {
        const before = tries === 0 ? undefined : await find(elicitationId);
        if (before !== undefined) return before;
        const { ts } = await client.call("chat.postMessage", args);
        return typeof ts === "string" ? ts : undefined;
      } catch (error) {
        if (!isUnreachable(error) || tries === MOST_REPEATS) throw error;
      }
      await new Promise<void>((resolve) => void clock.after(REPEAT_AFTER_MS * 2 ** tries, resolve));
    }
  }

  /** An app without the scope to read the thread posts again: a request that appears twice is better than none. */
  async function find(elicitationId: string): Promise<string | undefined> {
    try {
      return await findQuestion(client, place, elicitationId);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      return undefined;
    }
  }

  /** `false`: the message was deleted. */
  async function updateIfThere(ts: string, message: SlackMessage): Promise<boolean> {
    try {
      await updateQuestion(client, { channel: place.channel, ts }, message);
      return true;
    } catch (error) {
      if (error instanceof SlackApiError && error.code === "message_not_found") return false;
      throw error;
    }
  }

  return {
    has: (elicitationId) => posted.has(elicitationId),
    async show(request, after) {
      const { elicitationId } = request;
      const message = requestMessage(request, {
        language,
        person: place.person.user,
        link: options.linkFor(elicitationId),
        messageWithdraws: true,
        handsOver: true,
        answers: await options.answersTo(request),
      });
      const content = JSON.stringify(message);
      if (shown.get(elicitationId) === content) return;
      const ts = posted.get(elicitationId);
      const isThere = ts !== undefined && (await updateIfThere(ts, message));
      // A user can only answer a visible request. An outcome needs no message: the agent continues with it.
      if (!isThere && (ts === undefined || request.resolution === undefined)) {
        posted.delete(elicitationId);
        const { metadata } = deliveryMetadata({ turnId, user: place.person.user, after, elicitationId });
        const where = { channel: place.channel, thread_ts: place.thread };
        const newTs = await post(elicitationId, { ...where, ...message, ...VERBATIM, metadata });
        if (newTs !== undefined) posted.set(elicitationId, newTs);
      }
      shown.set(elicitationId, content);
    },
  };
}

/** Updates the message of a request. */
export async function updateQuestion(
  client: SlackClient,
  where: { readonly channel: string; readonly ts: string },
  message: SlackMessage,
): Promise<void> {
  await client.call("chat.update", { ...where, ...message, parse: "none", link_names: false });
}
