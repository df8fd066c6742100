import { createDeferred } from "../mcp/deferred.ts";
import type { ElicitationResponse } from "../protocol/contract.ts";
import { isTakenOver } from "../runtime/core/internal.ts";
import type { ElicitationResult, Question } from "../runtime/core/index.ts";
import type { Asking, InputRound } from "./input.ts";
import { cardId, commonOf, isAcceptable, questionsOf, wordsOf } from "./questions.ts";
import { type TaskView, hasEnded } from "./task-view.ts";
import { type A2aQuestion, actionOf, readWithdrawn } from "./translate.ts";

interface AuthorizationOptions extends Asking {
  /** Statuses that have been handled. */
  handled: Set<string>;
  answer: (answers: readonly ElicitationResponse[], messageId: string) => void;
}

/** One page of the extension, or the agent's text if there is no extension. */
interface Page {
  readonly elicitationId: string;
  readonly question: A2aQuestion | undefined;
}

interface PageCard extends Page {
  result: ElicitationResult | undefined;
  /** Ends the card as accepted, because the page is finished. */
  complete(): void;
  withdraw(): void;
}

/**
 * Waits while a task has the state `auth-required`: each page has a card, and the task itself says when it continues. No
 * answer to a page is sent but a refusal, and never a credential.
 */
export async function waitForAuthorization(
  first: TaskView,
  options: AuthorizationOptions,
): Promise<InputRound> {
  const { task, isExtended, handled, answer, salt, pause, signal } = options;
  const cards = new Map<string, PageCard>();
  let refused: InputRound["refused"];
  let changed = createDeferred<void>();
  let goOn: (() => void) | undefined;
  const pauseWhileOpen = () => {
    if (cards.size > 0) goOn ??= pause();
    else {
      goOn?.();
      goOn = undefined;
    }
  };
  try {
    for (let view = first; ;) {
      handled.add(view.statusKey);
      const pages = pagesOf(view, isExtended);
      closeOthers(cards, pages, view);
      for (const page of pages) {
        if (cards.has(page.elicitationId)) continue;
        const card = await open(page, view, options, () => {
          changed.resolve();
        });
        cards.set(page.elicitationId, card);
      }
      pauseWhileOpen();
      const { statusKey } = view;
      const next = task.until((now) => now.statusKey !== statusKey);
      next.catch(() => {});
      for (let hasMoved = false; !hasMoved;) {
        hasMoved = await Promise.race([next.then(() => true), changed.promise.then(() => false)]);
        if (hasMoved) break;
        changed = createDeferred();
        for (const card of cards.values()) {
          const { result, elicitationId, question } = card;
          if (result === undefined || result.outcome === "withdrawn") continue;
          cards.delete(elicitationId);
          if (result.outcome === "accepted") {
            task.lookNow();
            continue;
          }
          refused ??= { result };
          // Without the extension the agent cannot get the refusal, so its task is cancelled.
          if (question === undefined || result.outcome === "unsupported") return { refused };
          const messageId = await cardId(salt, statusKey, elicitationId, "reply");
          answer([{ elicitationId, action: actionOf(result.outcome) }], messageId);
        }
        pauseWhileOpen();
      }
      view = await next;
      if (view.state !== "auth-required") {
        closeOthers(cards, [], view);
        return { refused, isTold: true };
      }
    }
  } finally {
    // If another process has taken over the turn, the cards stay open.
    if (!isTakenOver(signal)) for (const card of cards.values()) card.withdraw();
    goOn?.();
  }
}

/** Ends the cards whose pages the status no longer asks for: the task continues without them. */
function closeOthers(cards: Map<string, PageCard>, pages: readonly Page[], view: TaskView): void {
  const withdrawn = readWithdrawn(view.message);
  const wanted = new Set(pages.map(({ elicitationId }) => elicitationId));
  for (const [id, card] of cards) {
    if (wanted.has(id)) continue;
    const isDone = !withdrawn.includes(id) && (!hasEnded(view) || view.state === "completed");
    if (isDone) card.complete();
    else card.withdraw();
    cards.delete(id);
  }
}

function pagesOf(view: TaskView, isExtended: boolean): readonly Page[] {
  const questions = questionsOf(view, isExtended);
  if (questions === undefined) return [{ elicitationId: "", question: undefined }];
  return questions.map((question) => ({ elicitationId: question.elicitationId, question }));
}

async function open(
  page: Page,
  view: TaskView,
  { turn, task, asker, salt }: AuthorizationOptions,
  onEnd: () => void,
): Promise<PageCard> {
  const withdraw = new AbortController();
  const completed = createDeferred<void>();
  const card: PageCard = {
    ...page,
    result: undefined,
    complete: () => completed.resolve(),
    withdraw: () => withdraw.abort(),
  };
  const { question } = page;
  const common = {
    ...commonOf(asker, "a2a_auth_required"),
    elicitationId: await cardId(salt, view.statusKey, page.elicitationId),
    signal: withdraw.signal,
    completed: completed.promise,
  };
  const asked: Question =
    question?.mode === "url"
      ? {
          ...common,
          mode: "url",
          message: question.message,
          url: question.url,
          acceptMeans: "consent",
          service: { name: asker.service },
          onConsent: () => task.lookNow(),
        }
      : // Text only. Addresses in it are not links, and what the person types would be a credential: there is no field.
        {
          ...common,
          mode: "form",
          message: wordsOf(view),
          requestedSchema: { type: "object", properties: {} },
        };
  const wait = async () => {
    const result = await turn.ask(asked);
    const isBlocked = question !== undefined && !isAcceptable(question);
    card.result = isBlocked && result.outcome === "accepted" ? { outcome: "declined" } : result;
    onEnd();
  };
  void wait();
  return card;
}
