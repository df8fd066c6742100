import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../../src/base/clock.ts";
import { deadline, untilAborted } from "../../../src/base/deadlines.ts";
import { CARD_TOOLS, type HandedRound, ROUND_META } from "../../../src/mcp/wire/app.ts";
import type { CardRun } from "./card-run.ts";
import type { OpenCall, Responses } from "./open-call.ts";

/**
 * One run of the tool, as a client of MCP 2026-07-28 would call it: from the start, with all questions and answers so
 * far.
 */
export type RunRound = (
  round: {
    readonly requestState: string | undefined;
    readonly responses: Responses;
    readonly signal: AbortSignal;
  },
  run: CardRun,
) => Promise<CallToolResult | InputRequiredResult>;

/** How long a call waits for its view to appear. Hosts that show it during the call took up to 3.7 seconds. */
export const VIEW_WITHIN_MS = 8000;
/** The time limit of a call. The official SDKs end a call after 60 seconds. */
export const HOLD_MS = 45_000;

/**
 * Replaces a client that cannot show questions: runs the tool, shows its questions in the card, and runs it again with
 * the answers. A call that waits too long is handed over to the card, which continues it on its own.
 */
export async function drive(
  call: OpenCall,
  run: RunRound,
  options: {
    clock: Clock;
    signal: AbortSignal;
    viewWithinMs: number;
    isParked?: boolean;
    progress?: CardRun["progress"];
  },
): Promise<CallToolResult | InputRequiredResult> {
  const { clock, signal, progress } = options;
  let requestState: string | undefined;
  let responses: Responses = {};
  try {
    for (;;) {
      const cardRun: CardRun = { holdMs: Math.max(0, call.startedAt + HOLD_MS - clock.now()), progress };
      const result = await run({ requestState, responses, signal }, cardRun);
      if (!isInputRequiredResult(result)) return result;
      if (cardRun.isForClient === true) {
        call.pause();
        return result;
      }
      requestState = result.requestState ?? "";
      const round = { inputRequests: result.inputRequests ?? {}, ...expiryOf(cardRun) };
      call.ask(round);
      const holdUntil = call.startedAt + HOLD_MS;
      const viewUntil = call.startedAt + options.viewWithinMs;
      const given = await waitForAnswers(call, { clock, signal, viewUntil, holdUntil, until: cardRun.until });
      if (given === "aborted") {
        if (options.isParked === true) await run({ requestState, responses: {}, signal }, cardRun);
        return ended("The call was ended.");
      }
      if (given === "late") {
        const { tool, arguments: args } = call.key;
        return waitingResult(call.hand({ ...round, tool, arguments: args, requestState }));
      }
      responses = given;
    }
  } finally {
    if (call.state.status !== "handed" && !call.isPaused) call.end(signal.aborted);
  }
}

/** `late`: the call cannot wait any longer. No responses: a question has expired, which the tool must find out. */
async function waitForAnswers(
  call: OpenCall,
  options: {
    clock: Clock;
    signal: AbortSignal;
    viewUntil: number;
    holdUntil: number;
    until: number | undefined;
  },
): Promise<Responses | "late" | "aborted"> {
  const { clock, signal, viewUntil, holdUntil, until = Number.POSITIVE_INFINITY } = options;
  for (;;) {
    // Check the newest state first: an answer that came in time counts, even if time has run out since.
    const changed = call.changed();
    const given = call.takeResponses();
    if (given !== undefined) return given;
    if (signal.aborted) return "aborted";
    const now = clock.now();
    if (now >= until) return {};
    const waitUntil = call.isSeen ? holdUntil : Math.min(viewUntil, holdUntil);
    if (now >= waitUntil) return "late";
    const timer = deadline(clock, Math.min(waitUntil, until) - now);
    await untilAborted(changed, AbortSignal.any([signal, timer.signal]));
    timer.cancel();
  }
}

/** Returns when the first of the questions expires. */
export function expiryOf({ until }: CardRun): { expiresAt?: string } {
  return until === undefined ? {} : { expiresAt: new Date(until).toISOString() };
}

/** The result of a call that the card continues. Its text keeps the model from asking the user itself. */
function waitingResult(round: HandedRound): CallToolResult {
  const { call, tool } = round;
  const text = [
    `A card in the conversation is asking the user what ${tool} needs to know. Do not ask the user yourself, and do not call ${tool} again.`,
    `Call ${CARD_TOOLS.result} with call ${JSON.stringify(call)} now: it waits for the user and returns the result of ${tool}.`,
  ].join(" ");
  return {
    content: [{ type: "text", text }],
    structuredContent: { elicitation: { status: "waiting", call } },
    _meta: { [ROUND_META]: round },
  };
}

function ended(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
