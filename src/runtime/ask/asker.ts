import { ElicitorError } from "../../contract/kit-error.ts";
import type { ToolAuthRequired } from "../../contract/contract.ts";
import type { ToolRef } from "../ports/index.ts";
import {
  type ElicitationResult,
  type FormQuestion,
  type Question,
  type SupportedModes,
  type UrlQuestion,
  decisiveWords,
  fallbackOf,
} from "./question.ts";

/** The questions and refusals of an earlier run of the same turn, in a process that crashed. */
export interface PastAsks {
  /** Tool calls that asked. When they run again, they get their own results. */
  readonly calls: ReadonlySet<string>;
  /** Refusals of the user, by {@link refusalKey}. */
  readonly refused: ReadonlyMap<string, ElicitationResult>;
}

export interface AskerOptions {
  readonly supports: SupportedModes & { readonly secrets?: boolean | undefined };
  /** Asks the user, as one round if there are several questions. Returns the result of each. */
  readonly open: (questions: readonly Question[]) => ReadonlyMap<Question, Promise<ElicitationResult>>;
  /** Reports a missing connection that this chat cannot ask for. Called once per connection and turn. */
  readonly notify: (notice: { type: "data-tool-auth-required"; data: ToolAuthRequired }) => void;
  /** Creates a link to the page of a question that this chat cannot show. @default no link */
  readonly linkTo?: ((question: UrlQuestion) => Promise<string | undefined>) | undefined;
  /** Why clients of the turn's surface must not show a form, if forms for secrets cannot reach the user. */
  readonly refuseForm?: ((form: FormQuestion) => string | undefined) | undefined;
  /** Set for a turn that runs again. */
  readonly past?: PastAsks | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Asks within one turn, and decides which questions get a card. A refused question is not asked again, whatever the model
 * does. A connection or page that two calls need at the same time is asked for once. Rejects only with an
 * `ElicitorError`. It is a class to save memory, because every waiting turn has one.
 */
export class Asker {
  readonly #options: AskerOptions;
  /** Open cards of URL requests, by tool and page. */
  #cards: Map<string, Promise<ElicitationResult>> | undefined;
  #refused: Map<string, { result: ElicitationResult; toolCallId: string | undefined }> | undefined;
  /** Notices by connection. */
  #notices: Map<string, Promise<void>> | undefined;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  ask(question: Question): Promise<ElicitationResult> {
    return this.#finish(question, this.#open([question]));
  }

  askRound(questions: readonly Question[]): Promise<readonly ElicitationResult[]> {
    const opened = this.#open(questions);
    return Promise.all(questions.map((question) => this.#finish(question, opened)));
  }

  /** Opens a card for each question that needs one of its own. */
  #open(questions: readonly Question[]): ReadonlyMap<Question, Promise<ElicitationResult>> {
    const pages = new Set(this.#cards?.keys());
    const fresh = questions.filter((question) => {
      if (this.#resultWithoutCard(question) !== undefined) return false;
      const page = pageKey(question);
      const isNew = page === undefined || !pages.has(page);
      if (page !== undefined) pages.add(page);
      return isNew;
    });
    const opened = fresh.length === 0 ? [] : this.#options.open(fresh);
    return new Map([...opened].map(([question, asked]) => [question, this.#card(question, asked)]));
  }

  async #finish(
    question: Question,
    opened: ReadonlyMap<Question, Promise<ElicitationResult>>,
  ): Promise<ElicitationResult> {
    const result = await this.#resultOf(question, opened);
    question.onResult?.(result);
    return result;
  }

  async #resultOf(
    question: Question,
    opened: ReadonlyMap<Question, Promise<ElicitationResult>>,
  ): Promise<ElicitationResult> {
    const own = opened.get(question);
    if (own !== undefined) return own;
    const known = this.#resultWithoutCard(question);
    if (known !== undefined) {
      await this.#notice(question);
      return known;
    }
    const page = pageKey(question);
    const shared = page === undefined ? undefined : await this.#cards?.get(page);
    // The first call may no longer need the card, for example because its agent was aborted. This call still does.
    if (shared !== undefined && shared.outcome !== "withdrawn") return shared;
    return this.#resultOf(question, this.#open([question]));
  }

  /** The result of a question that gets no card; `undefined` if it gets one. */
  #resultWithoutCard(question: Question): ElicitationResult | undefined {
    if (!this.#options.supports[question.mode]) {
      const fallback = fallbackOf(question);
      return fallback === undefined ? { outcome: "unsupported" } : { outcome: "accepted", content: fallback };
    }
    if (question.mode === "form" && this.#options.supports.secrets === false) {
      const reason = this.#options.refuseForm?.(question);
      if (reason !== undefined) return { outcome: "failed", reason };
    }
    const { toolCallId } = question;
    const key = refusalKey(question);
    if (key === undefined) return undefined;
    const before = this.#refused?.get(key);
    if (before === undefined) {
      const { past } = this.#options;
      const isNewCall = toolCallId !== undefined && past?.calls.has(toolCallId) === false;
      return isNewCall ? past?.refused.get(key) : undefined;
    }
    // One call may ask several questions. A refusal of one does not apply to the others.
    return toolCallId === undefined || before.toolCallId !== toolCallId ? before.result : undefined;
  }

  /** Notifies a chat once of each connection that it cannot ask for. */
  async #notice(question: Question): Promise<void> {
    const { mode, tool, toolCallId, context } = question;
    if (mode !== "url" || this.#options.supports.url || tool === undefined || toolCallId === undefined)
      return;
    if (context?.trigger !== "credential_required") return;
    this.#notices ??= new Map();
    const notice = this.#notices.get(tool.id) ?? this.#writeNotice(question, { tool, toolCallId });
    this.#notices.set(tool.id, notice);
    await notice;
  }

  async #writeNotice(
    question: UrlQuestion,
    { tool, toolCallId }: { tool: ToolRef; toolCallId: string },
  ): Promise<void> {
    const { message, service, signIn } = question;
    const { linkTo, notify, onError } = this.#options;
    const authLink = await linkTo?.(question).catch(onError);
    const type = "data-tool-auth-required";
    notify({
      type,
      data: {
        type,
        toolCallId,
        toolName: tool.name,
        toolId: tool.id,
        ...(service && { mcpServerName: service.name }),
        ...(signIn && { mcpServerUrl: withoutQuery(signIn.url) }),
        message,
        ...(authLink && { authLink }),
      },
    });
  }

  /** Keeps the result of a card for its turn, and lets equal questions share the card while it is open. */
  async #card(question: Question, asked: Promise<ElicitationResult>): Promise<ElicitationResult> {
    const page = pageKey(question);
    const card = this.#orFailed(asked);
    if (page !== undefined) (this.#cards ??= new Map()).set(page, card);
    try {
      return this.#keepRefusal(question, await card);
    } finally {
      if (page !== undefined && this.#cards?.get(page) === card) this.#cards.delete(page);
    }
  }

  async #orFailed(asked: Promise<ElicitationResult>): Promise<ElicitationResult> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof ElicitorError) throw error;
      this.#options.onError(error);
      return { outcome: "failed", reason: "the request could not be made" };
    }
  }

  #keepRefusal(question: Question, result: ElicitationResult): ElicitationResult {
    const key = refusalKey(question);
    if (key === undefined || !isRefusal(result)) return result;
    this.#refused ??= new Map();
    this.#refused.set(key, { result, toolCallId: question.toolCallId });
    return result;
  }
}

/** The query of a server's URL may contain a key. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** A refusal applies to the tool, for all its pages. */
export function refusalKey({ mode, tool }: Pick<Question, "mode" | "tool">): string | undefined {
  return tool === undefined ? undefined : JSON.stringify([mode, tool.id]);
}

/**
 * URL questions of a tool with the same result share one card: those with the same fixed URL, and those whose URL is
 * created for each request, unless their texts tell them apart. A question with a `key` never shares a card, because
 * which other cards are open may differ from run to run.
 */
function pageKey(question: Question): string | undefined {
  if (question.mode !== "url" || question.tool === undefined || question.key !== undefined) return undefined;
  const page = typeof question.url === "string" ? question.url : null;
  return JSON.stringify([question.tool.id, page, decisiveWords(question)]);
}

function isRefusal(result: ElicitationResult): boolean {
  return result.outcome === "declined" || result.outcome === "cancelled" || result.outcome === "expired";
}
