import type { Question, Turn } from "../../runtime/index.ts";
import type { ElicitationResult, ToolRef } from "../../runtime/internal.ts";
import type { Clock } from "../../base/clock.ts";
import { type Deferred, createDeferred, sleep } from "../../base/deadlines.ts";
import { derivedId, newId } from "../../base/ids.ts";
import type { CallTime } from "../../base/call-time.ts";
import type { McpElicitation } from "../wire/translate.ts";
import { KitError } from "../../contract/kit-error.ts";

/** One question of a server, shown to the user. */
export interface Card {
  /** Whether its answer contains values. */
  readonly isForm: boolean;
  /** The answer for the server: the consent to open a page, or the outcome. */
  readonly answer: Promise<ElicitationResult>;
  readonly result: Promise<ElicitationResult>;
  isOpen(): boolean;
  /**
   * Resolves when the user says that they have finished on the page, when the server has not been asked since they said
   * so, or when the request has ended.
   */
  finished(): Promise<void>;
  /** Call it when the server reports that the page is complete. */
  complete(): void;
  /** Call it when a 2025 server asks for the page again. */
  askedAgain(): void;
  /**
   * Call it when that server has got the state of the page again. Its next question shows whether the page is complete.
   */
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
  /** Called for each new question. */
  onAsked?: (() => void) | undefined;
}

/** The open requests of one tool call. */
export interface Cards {
  /** The server's own name, shown as a claim. */
  claimedName: string | undefined;
  /** Returns the open request for a page. If a server asks for the same page again, the card stays. */
  pageOf(elicitation: McpElicitation): Card | undefined;
  /**
   * Waits until the server should be asked again about open pages: when the user says that they have finished, at once if
   * they already said so, or after 2, 4, 8 … seconds.
   */
  untilNextLook(pages: readonly Card[]): Promise<void>;
  ask(elicitation: McpElicitation, signal?: AbortSignal): Card;
  askRound(elicitations: readonly McpElicitation[]): readonly Card[];
  /**
   * Call it when a 2025 server asks another question. The user may need an open page to answer, and many servers do not
   * report the end of a page. So a page ends once the user has also said that they have finished there, before or after
   * this.
   */
  otherAsked(): void;
  /** The server has continued with other questions: open pages that it no longer asks for are complete. */
  completeAllBut(pages: readonly Card[]): void;
  /**
   * The call has ended: with a result, which ends the pages that the user has agreed to open as accepted, or without one.
   * Withdraws all other requests. Resolves when all requests have ended.
   */
  end(how: "result" | "failure"): Promise<void>;
}

const FIRST_LOOK_MS = 2000;
const CONSENTED: ElicitationResult = { outcome: "accepted", content: {} };

export function createCards({
  turn,
  tool,
  toolCallId,
  service,
  clock,
  time,
  signal,
  onAsked,
}: CardsOptions): Cards {
  const open = new Set<OpenCard>();
  let looks = 0;

  function create(elicitation: McpElicitation, ownSignal?: AbortSignal): OpenCard {
    onAsked?.();
    const { mode, message } = elicitation;
    const withdraw = new AbortController();
    const signals = [signal, withdraw.signal, ...(ownSignal === undefined ? [] : [ownSignal])];
    const answer = createDeferred<ElicitationResult>();
    const result = createDeferred<ElicitationResult>();
    const completed = createDeferred<void>();
    let finished: Deferred<void> | undefined;
    let isConsented = false;
    // The same flags as in the channel of a page: see its `OpenQuestion`.
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

  // Another turn may have opened the connection on which the server asks.
  const askOne = turn.runner.bind(async ({ question }: OpenCard) => turn.ask(await withId(question)));
  const askTogether = turn.runner.bind(async (round: readonly OpenCard[]) => {
    await turn.askRound(await Promise.all(round.map(({ question }) => withId(question))));
  });
  let salt: Promise<string | undefined> | undefined;
  /** How often the server has asked each question. */
  const counts = new Map<string, number>();

  /**
   * Adds an id that stays the same for the same question when the turn runs again after a crash. The server is then
   * called again and may ask another question, which must not get the earlier answer. Never rejects.
   */
  async function withId(question: Question): Promise<Question> {
    const { mode, message } = question;
    const asked = question.mode === "form" ? question.requestedSchema : question.url;
    const content = JSON.stringify([mode, message, asked]);
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    // Recorded once for each call, so that the ids derived from it are the same in every run.
    salt ??= turn.runner.step("elicitation ids", async () => newId()).catch(() => undefined);
    const made = await salt;
    // The turn cannot create an id either. It reports the reason, and ends the card as failed.
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
      // A stopped turn ends its requests itself. A turn that another process runs never ends them here.
      if (!signal.aborted) await Promise.all(ending.map((card) => card.result));
    },
  };
  return cards;
}

interface OpenCard extends Card {
  readonly question: Question;
  /** Call it when the server has continued without the page: the page is complete if the user agreed to open it. */
  completeIfConsented(): void;
  otherAsked(): void;
  /** Call it when the server has learned that the user finished. Only a later "I've finished" is sent again. */
  told(): void;
  end(how: "result" | "failure"): void;
}
