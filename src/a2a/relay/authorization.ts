import type { Interrupts } from "./interrupts.ts";
import { isTakenOver } from "../../runtime/internal.ts";
import { derivedId } from "../../base/ids.ts";
import type { Asking, InputRound, Reply } from "./input.ts";
import { type EndedPage, type PageCards, createPageCards } from "./page-cards.ts";
import type { TaskView } from "../wire/task-view.ts";
import { actionOf, writeAnswers } from "../wire/translate.ts";

interface AuthorizationOptions extends Asking {
  interrupts: Interrupts;
  send: (reply: Reply) => void;
}

/**
 * Waits while a task has the state `auth-required`. Each page has a card, and the status of the task shows when the task
 * continues. Only a refusal of a page is sent to the agent, never a credential.
 */
export async function waitForAuthorization(
  first: TaskView,
  options: AuthorizationOptions,
): Promise<InputRound> {
  const { task, interrupts, send, salt, signal } = options;
  const cards = createPageCards(options);
  let refused: InputRound["refused"];
  try {
    for (let view = first; ;) {
      interrupts.add(view);
      await cards.show(view);
      const { statusKey } = view;
      const next = task.until((now) => now.statusKey !== statusKey);
      for await (const { elicitationId, question, result } of endedBefore(next, cards)) {
        if (result.outcome === "accepted") {
          task.lookNow();
          continue;
        }
        refused ??= { result };
        // Without the extension the agent cannot get the refusal, so its task is cancelled.
        if (question === undefined || result.outcome === "unsupported") return { refused };
        const messageId = await derivedId(salt, statusKey, elicitationId, "reply");
        send({ messageId, ...writeAnswers([{ elicitationId, action: actionOf(result.outcome) }]) });
      }
      view = await next;
      if (view.state !== "auth-required") {
        await cards.show(view);
        return { refused, isTold: true };
      }
    }
  } finally {
    // If another process has taken over the turn, the cards stay open.
    cards.end(!isTakenOver(signal));
  }
}

/** The cards that ended before the task moved on. */
async function* endedBefore(moved: Promise<unknown>, cards: PageCards): AsyncGenerator<EndedPage> {
  const hasMoved = moved.then(() => true);
  hasMoved.catch(() => {});
  while (!(await Promise.race([hasMoved, cards.changed().then(() => false)]))) yield* cards.takeEnded();
}
