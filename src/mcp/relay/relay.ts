/**
 * Relays the questions of an MCP server during a call of one of its tools, prompts or resources. It receives them as the
 * server's client, and asks the user through the turn. Works with MCP 2025-06-18, 2025-11-25 and 2026-07-28.
 */
import type { Client, ClientCapabilities } from "@modelcontextprotocol/client";
import { claimedNameOf } from "../../contract/claimed-name.ts";
import { isObject } from "../../contract/json.ts";
import type { Turn } from "../../runtime/index.ts";
import {
  type ElicitationResult,
  type SupportedModes,
  type ToolRef,
  pageRefusedText,
} from "../../runtime/internal.ts";
import type { Clock } from "../../base/clock.ts";
import { createCallTime } from "../../base/call-time.ts";
import { type Card, type Cards, createCards } from "./call-questions.ts";
import { type InputResponses, createInputRounds, McpRelayError } from "./input-rounds.ts";
import { isWebPage } from "../wire/inspect-elicitation.ts";
import { type LegacyRequests, MAX_REQUESTS, answerLegacyRequests } from "./legacy-requests.ts";
import { type StartedTask, followTask } from "./tasks.ts";
import {
  TASKS_EXTENSION,
  MISSING_CLIENT_CAPABILITY,
  type McpElicitation,
  type McpRound,
  codeOf,
  elicitationCapability,
  readRequiredUrls,
  readRound,
} from "../wire/translate.ts";

export { McpRelayError } from "./input-rounds.ts";

/** The options of {@link createMcpRelay}. */
export interface McpRelayOptions {
  turn: Pick<Turn, "supports" | "ask" | "askRound" | "runner">;
  /** The operator's id and name for the server. */
  server: { name: string; service: string };
  /** The tool's name for the model. */
  toolName: string;
  /** Absent if the client does not provide it. */
  toolCallId?: string | undefined;
  /** `true`: a form that cannot be shown becomes a card with the reason. `false`: the server gets an error. */
  showUnanswerable: boolean;
  clock: Clock;
}

/** One request of a call: the first one, or a repetition with answers. */
export interface McpLeg {
  readonly params: InputResponses;
  /** The options for the SDK. */
  readonly options: {
    readonly signal: AbortSignal;
    readonly timeout: number;
    readonly allowInputRequired: true;
    readonly onprogress: () => void;
  };
}

/** A call that a relay makes. */
export interface McpRelayedCall<T> {
  /** A client for this call only, because a 2025 server does not say which call a question belongs to. */
  client: Pick<Client, "fallbackRequestHandler" | "setNotificationHandler" | "getServerVersion">;
  signal: AbortSignal;
  /** How long the server may be silent while no user thinks, in milliseconds. */
  silenceMs: number;
  /** Removes the credential of the call from the server's texts. */
  conceal: <Value>(value: Value) => Value;
  /** Called when the server asks something. */
  onAsked?: (() => void) | undefined;
  /** Makes the call, and repeats it with answers. */
  send(leg: McpLeg): Promise<T>;
  /** Absent if the client does not support tasks. */
  tasks?: McpTasks<T> | undefined;
}

/** How the client of a call handles a tool that runs as a task. */
export interface McpTasks<T> {
  /** Returns the task that the call returned instead of a result. */
  startedBy(result: T): StartedTask | undefined;
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: McpLeg["options"],
  ): Promise<unknown>;
  /** Reads the result of an ended task. */
  read(result: unknown): T;
}

/** The relay of one call. */
export interface McpRelay {
  /** The capabilities that the client of the call declares: the modes that this chat supports. */
  readonly capabilities: ClientCapabilities;
  /**
   * Makes the call and answers the server's questions until there is a result. `text`: the result for the model if the
   * user refused a question.
   */
  call<T>(call: McpRelayedCall<T>): Promise<{ result: T } | { text: string }>;
}

type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;

/** How often a call is repeated after `URLElicitationRequiredError`. */
const MAX_RETRIES = 5;
const MAX_URLS = 10;
/** How long the end of a call waits until its task is cancelled. */
const CANCEL_MS = 1000;
/** The longest time limit that the SDK accepts. The SDK's default would run out while the user thinks. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Creates the relay of one call of a tool. */
export function createMcpRelay(options: McpRelayOptions): McpRelay {
  const { turn, server, toolName, toolCallId, showUnanswerable, clock } = options;
  const { supports } = turn;
  const { service } = server;
  const tool: ToolRef = { id: `mcp/${server.name}/${toolName}`, name: toolName };

  const refused = (refusal: Refusal) => ({
    // The protocol does not say what a page is for.
    text: pageRefusedText(refusal, { tool: toolName, service, purpose: "open" }),
  });

  return {
    capabilities: declaredCapabilities(supports),
    async call<T>({ client, signal, silenceMs, conceal, onAsked, send, tasks }: McpRelayedCall<T>) {
      const time = createCallTime(clock, silenceMs, service);
      const cards = createCards({ turn, tool, toolCallId, service, clock, time, signal, onAsked });
      const version = client.getServerVersion();
      cards.claimedName = claimedNameOf(conceal(version?.title ?? version?.name));
      const inspecting = { cards, supports, showUnanswerable };
      const flooded = new AbortController();
      const onFlood = () =>
        flooded.abort(new McpRelayError(`${service} asked more than ${MAX_REQUESTS} questions in one call`));
      const legacy = answerLegacyRequests(client, { ...inspecting, conceal, onFlood });
      const rounds = createInputRounds({ ...inspecting, clock, service });
      const legOptions: McpLeg["options"] = {
        signal: AbortSignal.any([signal, time.late, flooded.signal]),
        timeout: NO_TIMEOUT,
        allowInputRequired: true,
        onprogress: () => time.restart(),
      };

      const answer = (round: McpRound, isWhole: boolean) =>
        rounds.answer({ ...round, requests: conceal(round.requests) }, isWhole);

      async function follow({ request, read }: McpTasks<T>, started: StartedTask): Promise<T> {
        const result = await followTask({
          started,
          // The cancellation is sent after the signal of the call has aborted.
          request: (method, about) =>
            request(method, about, {
              ...legOptions,
              ...(method === "tasks/cancel" && { signal: AbortSignal.timeout(CANCEL_MS) }),
            }),
          // A task names each question once.
          rounds: { answer: (round) => answer(round, false) },
          time,
          clock,
          service,
          signal: legOptions.signal,
        });
        return read(result);
      }

      async function run(): Promise<{ result: T } | { text: string }> {
        const seen = new Set<string>();
        let params: InputResponses = {};
        for (let retries = 0; ;) {
          time.restart();
          let urls: readonly McpElicitation[] | undefined;
          try {
            const result = await send({ params, options: legOptions });
            const started = tasks?.startedBy(result);
            if (tasks && started) return { result: await follow(tasks, started) };
            const round = readRound(result);
            if (round === undefined) return { result };
            params = await answer(round, true);
            continue;
          } catch (error) {
            urls = readRequiredUrls(conceal(plainError(error)));
            if (urls === undefined) throw error;
          }
          const pages = urls.flatMap((asked) => (asked.mode === "url" ? [asked.url] : []));
          if (!pages.every(isWebPage)) {
            return refused({ outcome: "failed", reason: "it asks to open a link that is no web page" });
          }
          if (urls.length > MAX_URLS) {
            return refused({ outcome: "failed", reason: `it asks for ${urls.length} pages at once` });
          }
          if (retries === MAX_RETRIES || pages.some((url) => seen.has(url))) {
            return refused({ outcome: "failed", reason: "the server asks for it again" });
          }
          for (const url of pages) seen.add(url);
          const refusal = await openPages(cards, legacy, urls);
          if (refusal !== undefined) return refused(refusal);
          retries += 1;
        }
      }

      let how: "result" | "failure" = "failure";
      try {
        const ended = await run();
        how = "result" in ended ? "result" : "failure";
        return ended;
      } catch (error) {
        if (time.late.aborted) throw time.late.reason;
        if (flooded.signal.aborted) throw flooded.signal.reason;
        if (codeOf(error) !== MISSING_CLIENT_CAPABILITY) throw error;
        return refused({ outcome: "unsupported" });
      } finally {
        time.end();
        legacy.end();
        await cards.end(how);
      }
    },
  };
}

/** The capabilities for the modes of a chat. 2025-11-25 servers read `tasks`, 2026 servers read `extensions`. */
export function declaredCapabilities(supports: SupportedModes): ClientCapabilities {
  const elicitation = elicitationCapability(supports);
  if (elicitation === undefined) return {};
  const extensions = { [TASKS_EXTENSION]: {} };
  return { elicitation, extensions, tasks: { cancel: {}, requests: { elicitation: { create: {} } } } };
}

/**
 * Shows the pages of a `URLElicitationRequiredError` in one round, and waits until the user or the server reports that
 * each is complete. Returns the first refusal.
 */
async function openPages(
  cards: Cards,
  legacy: LegacyRequests,
  urls: readonly McpElicitation[],
): Promise<Refusal | undefined> {
  const round = cards.askRound(urls);
  for (const [index, asked] of urls.entries()) {
    const card = round[index];
    if (card !== undefined && asked.mode === "url") legacy.watch(card, asked.elicitationId);
  }
  const done = Promise.all(round.map(untilDone)).then(() => undefined);
  return Promise.race([done, ...round.map(refusalOf)]);
}

async function untilDone(card: Card): Promise<void> {
  await card.answer;
  await card.finished();
}

/** Never resolves if the request ends as accepted. */
async function refusalOf(card: Card): Promise<Refusal> {
  const result = await card.result;
  return result.outcome === "accepted" ? new Promise(() => {}) : result;
}

function plainError(error: unknown): { code: unknown; data: unknown } {
  return { code: codeOf(error), data: isObject(error) ? error["data"] : undefined };
}
