import type { Clock } from "../../../src/base/clock.ts";
import {
  type ElicitationService,
  type SurfaceTurn,
  discardedFrom,
  eventOf,
} from "../../../src/runtime/internal.ts";
import { deliveryMetadata, findDelivered } from "./delivered.ts";
import { givenAnswers } from "../answers/submission.ts";
import type { SlackLanguage } from "../blocks/text.ts";
import type { SlackPlace } from "../people/place.ts";
import { createQuestionMessages } from "./question-messages.ts";
import { createSessionStatus } from "./session-status.ts";
import { createStreamWriter, isFatal } from "./stream-writer.ts";
import type { SlackClient } from "../wire/web-client.ts";

/**
 * Writes a turn into its thread until it ends: text as a stream, requests as messages. It stops the stream before a
 * request, because Slack ends streams after five minutes and a user may take longer; the next text starts a new stream.
 * Called again for the same turn, it continues after the last message in the thread.
 */
export async function deliverTurn(
  turn: SurfaceTurn,
  options: {
    client: SlackClient;
    place: SlackPlace;
    language: SlackLanguage;
    clock: Clock;
    /** Whether to show a status and Slack's stop button. */
    isAgent: boolean;
    elicitations: Pick<ElicitationService, "linkFor">;
    onError: (error: unknown) => void;
  },
): Promise<void> {
  const { client, place, clock, onError } = options;
  const { user } = place.person;
  const delivered = await findDelivered(client, turn, place, onError);
  let isLost = false;
  /** If the app cannot write, the user cannot answer, so the turn must not wait for the expiry. */
  function report(error: unknown, isUnseen = false): void {
    onError(error);
    if (isLost || !(isUnseen || isFatal(error))) return;
    isLost = true;
    void stop();
  }
  async function stop(): Promise<void> {
    try {
      await turn.stop("The app cannot write into the thread any more.");
    } catch (error) {
      onError(error);
    }
  }
  const writer = createStreamWriter({ client, place, clock, onError: (error) => report(error) });
  const status = createSessionStatus({ client, place, isOn: options.isAgent, onError });
  const { linkFor } = options.elicitations;
  const { posted } = delivered;
  const { language } = options;
  const questions = createQuestionMessages({
    client,
    clock,
    place,
    posted,
    turnId: turn.id,
    language,
    linkFor: (elicitationId) => linkFor(elicitationId),
    answersTo: (request) => givenAnswers(turn, request, { clock, language }),
  });
  let after = delivered.after ?? -1;
  const stopText = () => writer.stop(deliveryMetadata({ turnId: turn.id, user, after }));

  async function isOpen(elicitationId: string): Promise<boolean> {
    return (await turn.open()).some((request) => request.elicitationId === elicitationId);
  }

  const open = new Set<string>();
  status.set("processing");
  try {
    const { signal } = new AbortController();
    for await (const entry of turn.read({ after: delivered.after, live: true, signal })) {
      const event = eventOf(entry);
      // The thread may contain text that was withdrawn. The new text is a separate message.
      if (discardedFrom(entry) !== undefined) await stopText();
      else if (event.kind === "text") {
        writer.write(event.text);
        // A question in the background may be open meanwhile.
        status.set("processing");
      } else if (event.kind === "chunk" && event.chunk.type === "text-end" && open.size > 0) {
        status.set("suspended");
      } else if (event.kind === "error") writer.write(`\n\n${event.text}`);
      else if (event.kind === "request" || event.kind === "resolved") {
        const { request } = event;
        const isKnown = questions.has(request.elicitationId);
        // The user also sees an answer that was reused without asking.
        const isUsedAgain = request.resolution?.remembered !== undefined;
        // The log has the order of events; only the records know whether a request is open now.
        if (!isKnown && !isUsedAgain && (event.kind === "resolved" || !(await isOpen(request.elicitationId))))
          continue;
        if (!isKnown) await stopText();
        if (isLost) continue;
        await questions
          .show(request, entry.seq)
          .catch((error: unknown) => report(error, !questions.has(request.elicitationId)));
        if (event.kind === "request") open.add(request.elicitationId);
        else open.delete(request.elicitationId);
        status.set(event.kind === "request" ? "suspended" : "processing");
      }
      after = entry.seq;
    }
  } finally {
    await stopText();
    await status.end();
  }
}
