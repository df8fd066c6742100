import type { Question, Turn } from "../../../runtime/index.ts";
import type { ElicitationResult, ToolRef } from "../../../runtime/internal.ts";
import type { Clock } from "../../../base/clock.ts";
import { type Deferred, createDeferred } from "../../../base/deferred.ts";
import { derivedId, newId } from "../../../base/ids.ts";
import { sleep } from "../../../base/deadlines.ts";
import type { CallTime } from "../../../base/call-time.ts";
import type { McpElicitation } from "../wire/translate.ts";
import { KitError } from "../../../contract/kit-error.ts";

/** One question of a server that the user is asked. */
export interface Card {
  /** Whether its answer has content. */
  readonly isForm: boolean;
  /** What the server gets: the consent to open a page, or the outcome. */
  readonly answer: Promise<ElicitationResult>;
  readonly result: Promise<ElicitationResult>;
  isOpen(): boolean;
  /**
   * Resolves when the user says that they have finished on the page, when they have said so and the server does not know
   * it yet, or when the request has ended.
   */
  finished(): Promise<void>;
  /** Called when the server reports that the page is finished. */
  complete(): void;
  /** Called when a server of 2025 asks for the page again. */
  askedAgain(): void;
  /** Called when that server has got the state of the page again: what it asks next says whether the page is done. */
  toldAgain(): void;
}

export interface CardsOptions {
  turn: Pick<Turn, "ask" | "askRound" | "runner">;
  tool: ToolRef;
  toolCallId?: string | undefined;
  /** The operator's name for the server. */
  service: string;
  clock: Clock;
  time: Pick<CallTime, "pause">;
  /** Withdraws all requests. */
  signal: AbortSignal;
}

/** The requests that one call of a tool has open. */
export interface Cards {
  /** What the server calls itself, shown as a claim. */
  claimedName: string | undefined;
  /** The open request for a page. When a server asks for the same page again, it keeps its card. */
  pageOf(elicitation: McpElicitation): Card | undefined;
  /**
   * Waits until it is worth telling the server again that the user has agreed to open these pages: when they say that
   * they have finished, at once if they said so while the server was not asking, or after 2, 4, 8 … seconds.
   */
  untilNextLook(pages: readonly Card[]): Promise<void>;
  ask(elicitation: McpElicitation, signal?: AbortSignal): Card;
  askRound(elicitations: readonly McpElicitation[]): readonly Card[];
  /**
   * A server of 2025 asks for something else. The user may need an open page for that, and many servers do not report the
   * end of one. So a page ends when the user has also said that they have finished there, earlier or later.
   */
  otherAsked(): void;
  /**
   * The server has continued to other questions: the pages that the user has agreed to open, and that it no longer asks
   * for, are done.
   */
  completeAllBut(pages: readonly Card[]): void;
  /**
   * The call has ended: with a result, which ends the pages that the user has agreed to open as accepted, or without
   * one. Withdraws all other requests. Resolves when all have ended.
   */
  end(how: "result" | "failure"): Promise<void>;
}

const FIRST_LOOK_MS = 2000;
const CONSENTED: ElicitationResult = { outcome: "accepted", content: {} };

export function createCards({ turn, tool, toolCallId, service, clock, time, signal }: CardsOptions): Cards {
  const open = new Set<OpenCard>();
  let looks = 0;

  function create(elicitation: McpElicitation, ownSignal?: AbortSignal): OpenCard {
    const { mode, message } = elicitation;
    const withdraw = new AbortController();
    const signals = [signal, withdraw.signal, ...(ownSignal === undefined ? [] : [ownSignal])];
    const answer = createDeferred<ElicitationResult>();
    const result = createDeferred<ElicitationResult>();
    const completed = createDeferred<void>();
    let finished: Deferred<void> | undefined;
    let isConsented = false;
    // In the words of the channel of a page: see its `OpenQuestion`.
    let isFinished = false;
    let isLookedAt = false;
    let isLeft = false;
    const endIfLeft = () => {
      if (isLeft && (isFinished || isLookedAt)) completed.resolve();
    };
    const common = {
      message,
      tool,
      toolCallId,
      requester: {
        name: service,
        ...(cards.claimedName !== undefined && { claimedName: cards.claimedName }),
      },
      context: { trigger: "mcp_elicitation", toolName: tool.name, service },
      signal: AbortSignal.any(signals),
      onResult(ended: ElicitationResult) {
        open.delete(card);
        goOn();
        answer.resolve(ended);
        result.resolve(ended);
        finished?.resolve();
      },
    };
    const pageQuestion = {
      acceptMeans: "consent",
      completed: completed.promise,
      onConsent() {
        isFinished = isConsented;
        isConsented = true;
        answer.resolve(CONSENTED);
        finished?.resolve();
        finished = undefined;
        endIfLeft();
      },
    } as const;
    const question: Question =
      mode === "form"
        ? { ...common, mode, requestedSchema: elicitation.requestedSchema }
        : { ...common, mode, url: elicitation.url, ...pageQuestion };
    const goOn = time.pause();
    const card: OpenCard = {
      isForm: mode === "form",
      question,
      answer: answer.promise,
      result: result.promise,
      isOpen: () => open.has(card),
      async finished() {
        if (!open.has(card) || isFinished) return;
        finished ??= createDeferred();
        await finished.promise;
      },
      complete: () => completed.resolve(),
      completeIfConsented() {
        if (isConsented) completed.resolve();
      },
      askedAgain() {
        isLeft = false;
        isLookedAt = false;
      },
      toldAgain() {
        isLookedAt = true;
      },
      told() {
        isFinished = false;
      },
      otherAsked() {
        isLeft = isConsented;
        endIfLeft();
      },
      end(how) {
        if (how === "failure") completed.reject(new KitError("elicit-kit: the call has failed."));
        if (how === "result" && isConsented) completed.resolve();
        else withdraw.abort();
      },
    };
    open.add(card);
    return card;
  }

  // The connection on which the server asks may have been opened by another turn.
  const askOne = turn.runner.bind(async ({ question }: OpenCard) => turn.ask(await withId(question)));
  const askTogether = turn.runner.bind(async (round: readonly OpenCard[]) => {
    await turn.askRound(await Promise.all(round.map(({ question }) => withId(question))));
  });
  let salt: Promise<string | undefined> | undefined;
  /** How often the server has asked each question. */
  const counts = new Map<string, number>();

  /**
   * Adds an id that is the same when the turn runs again after a crash, for the same question. The server is then called
   * again and may ask something else, which must not find the answer to what it asked before. Never rejects.
   */
  async function withId(question: Question): Promise<Question> {
    const { mode, message } = question;
    const asked = question.mode === "form" ? question.requestedSchema : question.url;
    const content = JSON.stringify([mode, message, asked]);
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    // Recorded once in a call: what follows from it is the same in every run.
    salt ??= turn.runner.step("elicitation ids", async () => newId()).catch(() => undefined);
    const made = await salt;
    // The turn cannot make an id either: it reports why, and ends the card as failed.
    return made === undefined
      ? question
      : { ...question, elicitationId: await derivedId(made, content, count) };
  }

  const cards: Cards = {
    claimedName: undefined,
    pageOf: (elicitation) =>
      elicitation.mode === "url"
        ? [...open].find(({ question }) => question.mode === "url" && question.url === elicitation.url)
        : undefined,
    async untilNextLook(pages) {
      const pause = FIRST_LOOK_MS * 2 ** looks;
      looks += 1;
      await Promise.race([sleep(clock, pause), ...pages.map((page) => page.finished())]);
      for (const card of open) if (pages.includes(card)) card.told();
    },
    ask(elicitation, ownSignal) {
      const card = create(elicitation, ownSignal);
      void askOne(card);
      return card;
    },
    askRound(elicitations) {
      const round = elicitations.map((elicitation) => create(elicitation));
      void askTogether(round);
      return round;
    },
    otherAsked() {
      for (const card of open) card.otherAsked();
    },
    completeAllBut(pages) {
      for (const card of open) if (!pages.includes(card)) card.completeIfConsented();
    },
    async end(how) {
      const ending = [...open];
      for (const card of ending) card.end(how);
      // A turn that has been stopped ends its requests itself, and one that another process runs never does.
      if (!signal.aborted) await Promise.all(ending.map((card) => card.result));
    },
  };
  return cards;
}

interface OpenCard extends Card {
  readonly question: Question;
  /** Called when the server has continued without the page: it is done, if the user has agreed to open it. */
  completeIfConsented(): void;
  otherAsked(): void;
  /** Call it when the server has received that the user finished: only a later "I've finished" is sent again. */
  told(): void;
  end(how: "result" | "failure"): void;
}
