import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  SdkError,
  SdkErrorCode,
  type ServerContext,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type { Clock } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { type McpElicitation, readElicitation, writeElicitation } from "../../../src/mcp/wire/translate.ts";
import type { Presenting } from "../presentation.ts";
import { onFormView } from "./card-run.ts";
import type { RunRound } from "./drive.ts";
import type { OpenCall, Responses } from "./open-call.ts";

/** How often a client gets a sign of life while its call waits for an answer. */
const STILL_WAITING_MS = 15_000;
/** How long one run waits for a page that the client has opened. */
const PAGE_MS = 20_000;

/** The questions that a client shows itself. The card shows the others. */
export interface OwnAsks {
  readonly client: Presenting;
  /** Asks over the connection of the call. `undefined`: the result of the call contains the questions (2026-07-28). */
  readonly connection: ConnectionAsks | undefined;
}

/** Runs a tool. The client shows questions in the modes that it has declared, and the card shows the others. */
export function withOwnAsks(run: RunRound, call: OpenCall, { client, connection }: OwnAsks): RunRound {
  const isOwn = (request: InputRequest): boolean => {
    const read = readElicitation(request.params);
    return read.ok && client.modes[read.value.mode] && isWritable(read.value, client);
  };

  return async ({ requestState, responses, signal }, cardRun) => {
    let round = { requestState, responses, signal };
    for (;;) {
      const result = await run(round, cardRun);
      await connection?.see(result);
      if (!isInputRequiredResult(result)) return result;
      const own = Object.entries(result.inputRequests ?? {}).filter(([, request]) => isOwn(request));
      if (own.length === 0) return result;
      if (connection === undefined) {
        cardRun.isForClient = true;
        return { ...result, inputRequests: Object.fromEntries(own) };
      }
      const given = await connection.ask(own, { signal, until: cardRun.until });
      if (signal.aborted) return result;
      // A client that waits for its user waits for the card as well.
      call.restart();
      cardRun.holdMs = PAGE_MS;
      round = { requestState: result.requestState, responses: given, signal };
    }
  };
}

/** Asks on the connection of a call (2025-06-18, 2025-11-25). */
export interface ConnectionAsks {
  /** Returns the answers. An expired question has none. */
  ask(
    requests: readonly (readonly [key: string, request: InputRequest])[],
    options: { signal: AbortSignal; until: number | undefined },
  ): Promise<Responses>;
  /** Notifies the client of complete pages. */
  see(result: CallToolResult | InputRequiredResult): Promise<void>;
}

export function createConnectionAsks(
  { mcpReq }: ServerContext,
  { client, clock, progress }: { client: Presenting; clock: Clock; progress: (message: string) => void },
): ConnectionAsks {
  /** The ids of pages that the user agreed to open, by URL. */
  const pages = new Map<string, string>();

  async function askOne(
    params: unknown,
    { signal, until = Number.POSITIVE_INFINITY }: { signal: AbortSignal; until: number | undefined },
  ): Promise<unknown> {
    const read = readElicitation(params);
    if (!read.ok) return CANCEL;
    const isPage = read.value.mode === "url";
    if (read.value.mode === "url" && pages.has(read.value.url)) return { action: "accept" };
    const elicitationId = newId();
    const asked = read.value.mode === "url" ? { ...read.value, elicitationId } : read.value;
    const written = writeElicitation(asked, client.revision);
    if (!written.ok) return CANCEL;
    const timeout = Math.min(Math.max(until - clock.now(), 1), 2 ** 31 - 1);
    try {
      const answer = await mcpReq.send(
        { method: "elicitation/create", params: { ...onFormView(client.formView, written.value) } },
        { signal, timeout },
      );
      if (asked.mode === "url" && answer.action === "accept") pages.set(asked.url, elicitationId);
      return isPage ? { action: answer.action } : answer;
    } catch (error) {
      const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
      return isLate ? undefined : CANCEL;
    }
  }

  return {
    async ask(requests, options) {
      let stop: (() => void) | undefined;
      const tell = (): void => {
        stop = clock.after(STILL_WAITING_MS, () => {
          progress("Waiting for the user");
          tell();
        });
      };
      tell();
      try {
        const answers = requests.map(
          async ([key, { params }]) => [key, await askOne(params, options)] as const,
        );
        const given = await Promise.all(answers);
        return Object.fromEntries(given.filter(([, answer]) => answer !== undefined));
      } finally {
        stop?.();
      }
    },
    async see(result) {
      const requests = isInputRequiredResult(result) ? Object.values(result.inputRequests ?? {}) : [];
      const open = new Set(
        requests.map(({ params }) => (params && "url" in params ? params.url : undefined)),
      );
      for (const [url, elicitationId] of pages) {
        if (open.has(url)) continue;
        pages.delete(url);
        await mcpReq
          .notify({ method: "notifications/elicitation/complete", params: { elicitationId } })
          .catch(() => undefined);
      }
    },
  };
}

const CANCEL = { action: "cancel" };

/** Whether the client's revision can express the request. */
function isWritable(elicitation: McpElicitation, { revision }: Presenting): boolean {
  const named = elicitation.mode === "url" ? { ...elicitation, elicitationId: "any" } : elicitation;
  return writeElicitation(named, revision).ok;
}
