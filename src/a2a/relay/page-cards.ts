import { canonical } from "../../base/canonical.ts";
import { createDeferred } from "../../base/deadlines.ts";
import { derivedId } from "../../base/ids.ts";
import type { Question } from "../../runtime/index.ts";
import type { ElicitationResult } from "../../runtime/internal.ts";
import type { Dialect } from "../wire/dialect.ts";
import type { Asking } from "./input.ts";
import { commonOf, isAcceptable, questionsOf, wordsOf } from "./questions.ts";
import { type TaskView, hasEnded } from "../wire/task-view.ts";
import { type A2aQuestion, readWithdrawn } from "../wire/translate.ts";

/** One page of the extension, or the agent's text if there is no extension. */
interface Page {
  /** The agent's id. */
  readonly elicitationId: string;
  readonly question: A2aQuestion | undefined;
}

/** The card of a page, ended by the user or by expiry. */
export interface EndedPage extends Page {
  readonly result: ElicitationResult;
}

interface PageCard extends Page {
  /** The text of the card. The agent may ask for another page under the same id. */
  readonly asked: string;
  result: ElicitationResult | undefined;
  /** Ends the card as accepted, because the page is complete. */
  complete(): void;
  withdraw(): void;
}

/** The cards of a task that waits for authorization. The time limits of the call do not run while one is open. */
export interface PageCards {
  /**
   * Opens a card for each page of the status, and closes cards whose page is no longer in it: the task continues without
   * them.
   */
  show(view: TaskView): Promise<void>;
  /** Resolves when a card may have ended. */
  changed(): Promise<void>;
  /** The cards that have ended since the last call. */
  takeEnded(): readonly EndedPage[];
  /** Stops waiting. `withdraw`: also ends open cards. */
  end(withdraw: boolean): void;
}

export function createPageCards({ turn, task, asker, dialects, salt, pause }: Asking): PageCards {
  const cards = new Map<string, PageCard>();
  let change = createDeferred<void>();
  let goOn: (() => void) | undefined;

  function pauseWhileOpen(): void {
    if (cards.size > 0) goOn ??= pause();
    else {
      goOn?.();
      goOn = undefined;
    }
  }

  async function open(page: Page, view: TaskView): Promise<void> {
    const { elicitationId, question } = page;
    const withdraw = new AbortController();
    const completed = createDeferred<void>();
    const card: PageCard = {
      ...page,
      asked: askedOf(page, view),
      result: undefined,
      complete: () => completed.resolve(),
      withdraw: () => withdraw.abort(),
    };
    const common = {
      ...commonOf(asker, "a2a_auth_required"),
      elicitationId: await derivedId(salt, view.statusKey, elicitationId),
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
        : // The agent's text is shown without links. There is no field, because the user would type a credential.
          {
            ...common,
            mode: "form",
            message: wordsOf(view),
            requestedSchema: { type: "object", properties: {} },
          };
    cards.set(elicitationId, card);
    const wait = async () => {
      const result = await turn.ask(asked);
      const isBlocked = question !== undefined && !isAcceptable(question);
      card.result = isBlocked && result.outcome === "accepted" ? { outcome: "declined" } : result;
      change.resolve();
    };
    void wait();
  }

  return {
    async show(view) {
      const pages = pagesOf(view, dialects);
      const withdrawn = readWithdrawn(view.message);
      for (const [id, card] of cards) {
        const page = pages.find(({ elicitationId }) => elicitationId === id);
        if (page !== undefined && askedOf(page, view) === card.asked) continue;
        const isReplaced = page?.question !== undefined;
        const isWithdrawn = isReplaced || withdrawn.includes(id);
        const isDone = !isWithdrawn && (!hasEnded(view) || view.state === "completed");
        if (isDone) card.complete();
        else card.withdraw();
        cards.delete(id);
      }
      for (const page of pages) if (!cards.has(page.elicitationId)) await open(page, view);
      pauseWhileOpen();
    },
    changed: () => change.promise,
    takeEnded() {
      change = createDeferred();
      const ended: EndedPage[] = [];
      for (const { elicitationId, question, result } of cards.values()) {
        // A withdrawn card ends with the next status.
        if (result === undefined || result.outcome === "withdrawn") continue;
        cards.delete(elicitationId);
        ended.push({ elicitationId, question, result });
      }
      pauseWhileOpen();
      return ended;
    },
    end(withdraw) {
      if (withdraw) for (const card of cards.values()) card.withdraw();
      goOn?.();
    },
  };
}

function askedOf({ question }: Page, view: TaskView): string {
  return question === undefined ? wordsOf(view) : canonical(question);
}

/** The pages that a status asks for: none, if the task no longer waits for authorization. */
function pagesOf(view: TaskView, dialects: readonly Dialect[]): readonly Page[] {
  if (view.state !== "auth-required") return [];
  const listed = questionsOf(view, dialects);
  if (listed === undefined) return [{ elicitationId: "", question: undefined }];
  return listed.questions.map((question) => ({ elicitationId: question.elicitationId, question }));
}
