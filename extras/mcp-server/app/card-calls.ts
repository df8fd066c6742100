import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Clock } from "../../../src/base/clock.ts";
import { deadline, untilAborted } from "../../../src/base/deadlines.ts";
import { type AnswerReply, CARD_TOOLS, type HandedRound, type NextReply } from "../../../src/mcp/wire/app.ts";
import type { CardRun } from "./card-run.ts";
import { answerInput, misfitOf, nextInput, resultInput } from "./card-tools.ts";
import { HOLD_MS, VIEW_WITHIN_MS, expiryOf } from "./drive.ts";
import type { OpenCalls } from "./open-calls.ts";
import { type CallHandler, runnerOf } from "./run-tool.ts";

/** A call of one of the card's tools. */
export interface CardCall {
  /** The arguments of the call. Untrusted. */
  readonly given: unknown;
  readonly ctx: ServerContext;
  /** The owner of the calls that the caller may see. `undefined`: the caller cannot be identified. */
  readonly owner: string | undefined;
  /** Whether the client itself can show forms. */
  readonly asksForms: boolean;
}

/** The functions behind the card's tools. */
export interface CardCalls {
  next(call: CardCall, client: string): Promise<NextReply>;
  answer(call: CardCall, inner: CallHandler): Promise<AnswerReply>;
  wait(call: CardCall): Promise<CallToolResult>;
}

/** How long a poll of a view waits. Hosts end a call after 60 seconds. */
const POLL_MS = 20_000;
/** How long a poll waits for a call that this process does not know, for example one of another process. */
const UNKNOWN_MS = 2000;

export function createCardCalls({
  clock,
  calls,
  asks,
  pagesOnly,
  onViewInTime,
}: {
  clock: Clock;
  calls: OpenCalls;
  asks: (tool: string) => "named" | boolean;
  pagesOnly: readonly string[];
  /** Called when a view of this client appears while its call still waits. */
  onViewInTime: (client: string) => void;
}): CardCalls {
  /** Waits for changes that a view does not know yet. */
  async function next({ given, ctx, owner }: CardCall, client: string): Promise<NextReply> {
    const { seen, view, ...known } = read(nextInput, given);
    const { signal, cancel } = deadline(clock, POLL_MS);
    const ends = AbortSignal.any([signal, ctx.mcpReq.signal]);
    try {
      if (owner === undefined) return await waitForOther(ends);
      while (!ends.aborted) {
        const freed = calls.freed();
        const call = calls.claim({ ...known, owner, view });
        if (call === undefined) {
          if (known.call !== undefined) return await waitForOther(ends);
          await untilAborted(freed, ends);
          continue;
        }
        if (clock.now() - call.startedAt <= VIEW_WITHIN_MS) onViewInTime(client);
        try {
          while (call.version <= seen && !ends.aborted) await untilAborted(call.changed(), ends);
          return call.version > seen ? call.state : { status: "waiting", call: call.id };
        } finally {
          calls.release(call, view, ctx.mcpReq.signal.aborted ? "gone" : "waits");
        }
      }
      return { status: "waiting" };
    } finally {
      cancel();
    }
  }

  async function waitForOther(ends: AbortSignal): Promise<NextReply> {
    const { signal, cancel } = deadline(clock, UNKNOWN_MS);
    await untilAborted(new Promise<never>(() => {}), AbortSignal.any([signal, ends]));
    cancel();
    return { status: "waiting" };
  }

  async function answer(from: CardCall, inner: CallHandler): Promise<AnswerReply> {
    const { given, owner } = from;
    const { view, call: id, version, responses, handed, delivered } = read(answerInput, given);
    if (delivered !== undefined) {
      if (owner !== undefined) calls.get(owner, id)?.endOffer(delivered);
      return { kind: "settled" };
    }
    if (handed !== undefined) return continueRound(handed, responses, from, inner);
    const call = owner === undefined ? undefined : calls.get(owner, id);
    if (call === undefined || owner === undefined) return { kind: "gone" };
    if (call.state.status === "asked" && call.version === version) {
      const misfit = misfitOf(call.state.round.inputRequests, responses);
      if (misfit !== undefined) return misfit;
    }
    return {
      kind: calls.give({ view, owner, call: id }, version, responses) === "taken" ? "settled" : "gone",
    };
  }

  /**
   * Continues a round that was handed over. This needs no state of this process, because the tool checks the data from
   * the view.
   */
  async function continueRound(
    round: HandedRound,
    responses: Readonly<Record<string, unknown>>,
    { ctx, owner, asksForms }: CardCall,
    inner: CallHandler,
  ): Promise<AnswerReply> {
    const { tool, arguments: args, requestState, call: id } = round;
    if (!asks(tool)) return { kind: "gone" };
    const misfit = misfitOf(round.inputRequests, responses);
    if (misfit !== undefined) return misfit;
    const run: CardRun = { holdMs: POLL_MS };
    const { signal } = ctx.mcpReq;
    const showsForms = !pagesOnly.includes(tool);
    const runTool = runnerOf(round, { ctx, inner, forms: showsForms || asksForms });
    let result: CallToolResult | InputRequiredResult;
    try {
      result = await runTool({ requestState, responses, signal }, run);
      // The client itself showed these forms until its call returned. Now they cannot be asked.
      const unasked = () => (showsForms ? [] : formsOf(result));
      for (let forms = unasked(); forms.length > 0; forms = unasked()) {
        const cancelled = Object.fromEntries(forms.map((key) => [key, { action: "cancel" }]));
        result = await runTool({ requestState: stateOf(result), responses: cancelled, signal }, run);
      }
    } catch (error) {
      if (run.isRefused === true) return { kind: "gone" };
      throw error;
    }
    // The SDK turns errors of a tool into results.
    if (run.isRefused === true) return { kind: "gone" };
    const call = owner === undefined ? undefined : calls.get(owner, id);
    if (isInputRequiredResult(result)) {
      const asked = { inputRequests: result.inputRequests ?? {}, requestState: result.requestState ?? "" };
      const fresh = { ...asked, ...expiryOf(run), tool, arguments: args };
      return {
        kind: "settled",
        round: call?.hand(fresh) ?? { ...fresh, call: id, version: round.version + 1 },
      };
    }
    call?.end(false, result);
    const taken = call !== undefined && !call.offerResult();
    const { content, structuredContent } = result;
    return {
      kind: "settled",
      result: { taken, content, ...(structuredContent !== undefined && { structuredContent }) },
    };
  }

  /** Waits for the result of a call that was handed over, for the model. */
  async function wait({ given, ctx, owner }: CardCall): Promise<CallToolResult> {
    const { call: id } = read(resultInput, given);
    const call = owner === undefined ? undefined : calls.get(owner, id);
    if (call === undefined) return told(UNKNOWN);
    const { signal, cancel } = deadline(clock, HOLD_MS);
    const ends = AbortSignal.any([signal, ctx.mcpReq.signal]);
    const stop = call.await();
    try {
      const isOpen = () => call.state.status !== "ended" || call.isOffered;
      while (isOpen() && !ends.aborted) await untilAborted(call.changed(), ends);
      if (ctx.mcpReq.signal.aborted || isOpen()) return told(NOT_YET);
      if (call.result === undefined) return told(UNKNOWN);
      return call.takeResult() ? call.result : told(DELIVERED);
    } finally {
      stop();
      cancel();
    }
  }

  return { next, answer, wait };
}

/** The keys of the forms in a result. */
function formsOf(result: CallToolResult | InputRequiredResult): string[] {
  const requests = isInputRequiredResult(result) ? Object.entries(result.inputRequests ?? {}) : [];
  return requests.flatMap(([key, { params }]) => (params && "requestedSchema" in params ? [key] : []));
}

function stateOf(result: CallToolResult | InputRequiredResult): string | undefined {
  return isInputRequiredResult(result) ? result.requestState : undefined;
}

const NOT_YET = `The user has not answered yet. Call ${CARD_TOOLS.result} again with the same call.`;
const UNKNOWN =
  "This call is not known here. If its card is open, the user's answer appears in the conversation. Otherwise the question has ended.";
const DELIVERED = "The card has already brought the result into the conversation.";

function told(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The card sent arguments that do not fit.");
}
