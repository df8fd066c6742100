import { type ElicitationAnswer, outcomeOfAction } from "../contract/contract.ts";
import { type AnswerReceipt, ChannelError } from "./channel.ts";
import type { ClientContext } from "./client-options.ts";
import type { ElicitationNotice } from "./elicitation.ts";
import { isOffline } from "./online.ts";
import { pauseAfter } from "./retry-pauses.ts";

/** A server that seems to have no route for answers is tried for a minute. */
const TRIES = 7;

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
    /** How many of the last replies said that there is no such route. */
    let missing = 0;
    for (let attempt = 0; open.length > 0 && !signal.aborted; attempt++) {
      const round = markSent(open);
      if (round.length === 0) return;
      try {
        for (const receipt of await respond(round))
          store.dispatch(receipt.elicitationId, { type: "receipt", receipt });
        return;
      } catch (error) {
        if (signal.aborted) return;
        missing = error instanceof ChannelError && error.notOffered ? missing + 1 : 0;
        const retryable = error instanceof ChannelError && error.retryable && missing < TRIES;
        const retryAt = retryable ? clock.now() + pauseAfter(attempt, error.retryAfterMs) : undefined;
        const event = {
          type: retryable ? "undelivered" : "undeliverable",
          notice: { ...noticeOf(error, retryable), retryAt },
        } as const;
        for (const { elicitationId } of round) store.dispatch(elicitationId, event);
        if (!retryable) return;
        const ids = round.map((answer) => answer.elicitationId);
        await pauses.after(attempt, ids, error.retryAfterMs);
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

function noticeOf(error: unknown, retryable: boolean): ElicitationNotice {
  const unsent = retryable && error instanceof ChannelError && error.cause !== undefined;
  return {
    // A server that is down looks the same to `fetch` as a lost connection.
    code: !unsent ? "server-error" : isOffline() ? "offline" : "unreachable",
    detail: error instanceof Error ? error.message : undefined,
  };
}
