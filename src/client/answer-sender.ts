import { type ElicitationAnswer, outcomeOfAction } from "../contract/contract.ts";
import type { AnswerReceipt, ChannelError } from "./channel.ts";
import type { ClientContext } from "./client-options.ts";
import type { ElicitationNotice } from "./elicitation.ts";
import { isOffline } from "./online.ts";
import { pauseAfter } from "./retry-pauses.ts";
import { createRouteWatch } from "./route-watch.ts";

/**
 * Sends answers. Each answer is delivered at most once, is retried while the network fails, and is dropped when the
 * request has ended.
 */
export interface AnswerSender {
  /**
   * Sends the answers of one round. Resolves when they are delivered, refused, given up, or replaced: a later call with a
   * new object for the same request ends the retries of this one.
   */
  send(answers: readonly ElicitationAnswer[]): Promise<void>;
}

export function createAnswerSender({ channel, clock, pauses, signal, store }: ClientContext): AnswerSender {
  async function send(answers: readonly ElicitationAnswer[]): Promise<void> {
    let open = answers;
    const temporaryOf = createRouteWatch(clock);
    for (let attempt = 0; open.length > 0 && !signal.aborted; attempt++) {
      const round = markSent(open);
      if (round.length === 0) return;
      try {
        for (const receipt of await respond(round))
          store.dispatch(receipt.elicitationId, { type: "receipt", receipt });
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = temporaryOf(error);
        const retryAt = failure && clock.now() + pauseAfter(attempt, failure.retryAfterMs);
        const event = {
          type: failure ? "undelivered" : "undeliverable",
          notice: { ...noticeOf(error, failure), retryAt },
        } as const;
        for (const { elicitationId } of round) store.dispatch(elicitationId, event);
        if (failure === undefined) return;
        const ids = round.map((answer) => answer.elicitationId);
        await pauses.after(attempt, ids, failure.retryAfterMs);
        // In the meantime, a request may have ended, or another call of `send` may have replaced the answer.
        open = round.filter((answer) => {
          const item = store.get(answer.elicitationId);
          return item?.status === "undelivered" && item.answer === answer;
        });
      }
    }
  }

  /** Marks answers as sent. Returns those that may still be sent. */
  function markSent(answers: readonly ElicitationAnswer[]): readonly ElicitationAnswer[] {
    return answers.filter((answer) => {
      const before = store.get(answer.elicitationId);
      store.dispatch(answer.elicitationId, { type: "sent", answer });
      return store.get(answer.elicitationId) !== before;
    });
  }

  async function respond(answers: readonly ElicitationAnswer[]): Promise<readonly AnswerReceipt[]> {
    const local: AnswerReceipt[] = [];
    const remote: ElicitationAnswer[] = [];
    for (const answer of answers) {
      const request = store.get(answer.elicitationId)?.request;
      const way = request && channel.delivery(request)[answer.action];
      if (way === "local") local.push(closedHere(answer));
      else if (way === "unsupported") local.push(notPossible(answer));
      else remote.push(answer);
    }
    return remote.length === 0 ? local : [...local, ...(await channel.respond(remote, { signal }))];
  }

  return { send };
}

function closedHere({ elicitationId, action }: ElicitationAnswer): AnswerReceipt {
  return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
}

function notPossible({ elicitationId, action }: ElicitationAnswer): AnswerReceipt {
  return {
    elicitationId,
    kind: "refused",
    status: 0,
    message: `This request cannot be answered with "${action}".`,
  };
}

function noticeOf(error: unknown, temporary: ChannelError | undefined): ElicitationNotice {
  const unsent = temporary?.cause !== undefined;
  return {
    // A server that is down looks the same to `fetch` as a lost connection.
    code: !unsent ? "server-error" : isOffline() ? "offline" : "unreachable",
    detail: error instanceof Error ? error.message : undefined,
  };
}
