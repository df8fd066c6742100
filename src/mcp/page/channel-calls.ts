import type {
  CallToolRequest,
  CallToolResult,
  Client,
  RequestOptions,
  Transport,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../client/clock.ts";
import { newId } from "../../client/new-id.ts";
import { type ElicitationRequest, outcomeOfAction } from "../../contract/contract.ts";
import { McpCallError } from "./call-error.ts";
import {
  type McpElicitResult,
  type McpElicitation,
  type McpRound,
  readElicitation,
  readRequiredUrls,
  readRound,
  withoutNulls,
} from "../wire/translate.ts";
import { type Watch, watchStreams } from "../wire/lost-stream.ts";

/** Options of one call: those of the SDK, and where its requests appear. */
export interface McpCallOptions extends RequestOptions {
  /** The conversation in which the requests of this call appear. @default `conversationId` of the channel */
  conversationId?: string | undefined;
  /** Links the cards to the call in your chat. */
  toolCallId?: string | undefined;
}

/** A question of the server while it is open. */
export interface ServerQuestion {
  readonly request: ElicitationRequest;
  /** The current answer. A later state of a page replaces its consent. */
  readonly answer: Promise<McpElicitResult>;
  /** Called when the user says that they have finished on the page, or when the question has ended. */
  readonly finished: Set<() => void>;
  /** Whether the user has said that they have finished, and the server has not been asked since. */
  isFinished: boolean;
}

/** The data that all questions of a call share. */
export interface AskedTogether {
  readonly conversationId?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly round?: ElicitationRequest["round"];
  /** Withdraws the question. */
  readonly signal?: AbortSignal | undefined;
  /** The questions of the call so far. A new question is added. */
  readonly questions: Set<ServerQuestion>;
}

const MAX_ROUNDS = 10;
/** How often a call is repeated after error -32042. */
const MAX_RETRIES = 5;
/** The longest time limit that the SDK accepts. The SDK's default would run out while the user thinks. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** How long to wait for the user before the server is asked again. */
const NEXT_LOOK_MS = 20_000;
/** A round with a state but no questions asks the client to repeat the call later. */
const STATE_ONLY_PAUSE_MS = 250;

/** The state that the calls of a channel share. */
export interface CallingChannel {
  readonly client: Client;
  readonly serverName: string;
  readonly clock: Clock;
  /** Shows a card. */
  ask(elicitation: McpElicitation, together: AskedTogether): ServerQuestion;
  /** The server has continued without this page: its request ends as accepted if the user agreed to open it. */
  complete(page: ServerQuestion): void;
}

/**
 * Calls a tool and shows its questions until there is a result. Loaded with the first call, because a page may connect
 * long before it.
 */
export async function callTool(
  { client, serverName, clock, ask, complete }: CallingChannel,
  call: AskedTogether,
  called: CallToolRequest["params"],
  options: RequestOptions,
): Promise<CallToolResult> {
  const sdkOptions = { timeout: NO_TIMEOUT, ...options, allowInputRequired: true };
  let sent = called;
  for (let rounds = 0, retries = 0; ;) {
    let reply: CallToolResult;
    try {
      reply = await callWatched({ client, serverName }, sent, sdkOptions);
    } catch (error) {
      const urls = readRequiredUrls(error);
      if (urls === undefined || retries === MAX_RETRIES) throw error;
      retries += 1;
      await openPages(urls);
      continue;
    }
    const round = readRound(reply);
    if (round === undefined) return reply;
    rounds += 1;
    if (rounds > MAX_ROUNDS) {
      throw new McpCallError(
        "too-many-rounds",
        `${serverName} asks in more than ${MAX_ROUNDS} rounds, so the call was ended. It must ask less at a time, or all at once.`,
      );
    }
    sent = { ...called, ...(await answerRound(round)) };
  }

  /** Asks several questions, whose answers are sent together. */
  function askAll(elicitations: readonly McpElicitation[]): ServerQuestion[] {
    const size = elicitations.length;
    const round = size > 1 ? { id: newId(), size } : undefined;
    return elicitations.map((elicitation) => ask(elicitation, { ...call, round }));
  }

  /** Asks the questions of a round together. A page from an earlier round keeps its card. */
  async function answerRound({ requests, requestState }: McpRound) {
    const state = requestState === undefined ? {} : { requestState };
    if (requests.length === 0) {
      await new Promise<void>((resolve) => void clock.after(STATE_ONLY_PAUSE_MS, resolve));
      return state;
    }
    const asked = requests.map(({ key, method, params }) => {
      const read = readElicitation(params);
      if (method !== "elicitation/create" || !read.ok) {
        throw new McpCallError(
          "unsupported",
          `${serverName} asked for something that is no elicitation of MCP. The channel answers nothing else: declare no sampling and no roots on its client.`,
        );
      }
      const { value } = read;
      const known = value.mode === "url" ? pageOf(value.url) : undefined;
      return { key, elicitation: value, known };
    });
    const fresh = asked.filter(({ known }) => known === undefined);
    const pages = asked.flatMap(({ known }) => known ?? []);
    for (const question of call.questions) if (!pages.includes(question)) complete(question);
    if (fresh.length === 0) await nextLook(clock, pages);
    const cards = askAll(fresh.map(({ elicitation }) => elicitation));
    const answers = asked.map(async ({ key, known }): Promise<[string, McpElicitResult]> => {
      const question = known ?? cards.shift();
      return [key, (await question?.answer) ?? { action: "cancel" }];
    });
    return { inputResponses: Object.fromEntries(await Promise.all(answers)), ...state };
  }

  function pageOf(url: string): ServerQuestion | undefined {
    return [...call.questions].find(({ request }) => request.mode === "url" && request.url === url);
  }

  /** Throws if the user declined or dismissed a page, even after opening it. */
  async function ensureOpened({ answer }: ServerQuestion): Promise<void> {
    const { action } = await answer;
    call.signal?.throwIfAborted();
    if (action === "accept") return;
    const code = outcomeOfAction[action];
    throw new McpCallError(
      code,
      `${serverName} needs a page, and the person has not opened it (${code}). Call the tool again when they want to.`,
    );
  }

  /** Shows the pages of error -32042, and waits until the user or the server reports that each is complete. */
  async function openPages(urls: readonly McpElicitation[]): Promise<void> {
    const pages = askAll(urls);
    await Promise.all(
      pages.map(async (page) => {
        const finished = new Promise<void>((resolve) => void page.finished.add(resolve));
        await ensureOpened(page);
        await finished;
        await ensureOpened(page);
      }),
    );
  }
}

/**
 * Resolves when the call should be repeated: the user has finished on a page that the server has not been asked about
 * since, or has declined one, or some time has passed.
 */
export async function nextLook(clock: Clock, pages: readonly ServerQuestion[]): Promise<void> {
  const answers = await Promise.all(pages.map(({ answer }) => answer));
  if (answers.some(({ action }) => action !== "accept")) return;
  if (!pages.some(({ isFinished }) => isFinished)) {
    await new Promise<void>((resolve) => {
      const stop = clock.after(NEXT_LOOK_MS, resolve);
      const finish = () => {
        stop();
        resolve();
      };
      for (const { finished } of pages) finished.add(finish);
    });
  }
  for (const page of pages) page.isFinished = false;
}

/** A client may reconnect with another transport. */
const watches = new WeakMap<Transport, Watch>();

/** Calls a tool. Rejects when the connection of the call is lost. */
function callWatched(
  { client, serverName }: { client: Client; serverName: string },
  params: CallToolRequest["params"],
  { signal, ...options }: RequestOptions,
): Promise<CallToolResult> {
  const { transport } = client;
  // The SDK says that the client is not connected.
  if (transport === undefined) return client.callTool(params, options);
  let watch = watches.get(transport);
  if (watch === undefined) {
    watch = watchStreams(transport, serverName);
    watches.set(transport, watch);
    mendQuestions(transport);
  }
  return watch((watched) => {
    const until = signal === undefined ? watched.lost : AbortSignal.any([signal, watched.lost]);
    return client.callTool(params, { ...options, ...watched.options, signal: until });
  });
}

/** Changes questions that the SDK's client would refuse before the channel gets them. */
function mendQuestions(transport: Transport): void {
  const receive = transport.onmessage;
  // A transport is no event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message, extra) => {
    const isQuestion = "method" in message && message.method === "elicitation/create";
    return receive?.(isQuestion ? { ...message, params: withoutNulls(message.params) } : message, extra);
  };
}
