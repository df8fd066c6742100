import type { CallToolRequest, CallToolResult, Client, RequestOptions } from "@modelcontextprotocol/client";
import type { Clock } from "../client/clock.ts";
import { newId } from "../client/new-id.ts";
import type { ElicitationOutcome, ElicitationRequest } from "../protocol/contract.ts";
import {
  type McpElicitResult,
  type McpElicitation,
  type McpRound,
  readElicitation,
  readRequiredUrls,
  readRound,
} from "./translate.ts";

/** Options of one call: those of the SDK, and where its requests appear. */
export interface McpCallOptions extends RequestOptions {
  conversationId?: string | undefined;
  /** Links the cards to the call in your chat. */
  toolCallId?: string | undefined;
}

/** A question of the server, while it is open. */
export interface ServerQuestion {
  readonly request: ElicitationRequest;
  readonly answer: Promise<McpElicitResult>;
  /** Called when the person says that they have finished on the page, and when the question has ended. */
  readonly finished: Set<() => void>;
}

/** What the questions of a call have in common. */
export interface AskedTogether {
  readonly conversationId?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly round?: ElicitationRequest["round"];
  /** Withdraws the question. */
  readonly signal?: AbortSignal | undefined;
  /** Where the question is kept until its call has ended. */
  readonly questions: Set<ServerQuestion>;
}

const MAX_ROUNDS = 10;
/** How often a call is repeated after error -32042. */
const MAX_RETRIES = 5;
/** The longest time limit that the SDK takes. Its own would run while the person thinks. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** How long to wait for "I have finished" before the server is asked again. */
const NEXT_LOOK_MS = 20_000;
/** A round with a state but no questions asks the client to repeat the call later. */
const STATE_ONLY_PAUSE_MS = 250;

/** Makes the calls of a page, and knows which call a question belongs to. */
export function createToolCalls(options: {
  client: Client;
  serverName: string;
  clock: Clock;
  ask: (elicitation: McpElicitation, together: AskedTogether) => ServerQuestion;
  end: (elicitationId: string, outcome: ElicitationOutcome) => void;
}): {
  callTool(params: CallToolRequest["params"], options?: McpCallOptions): Promise<CallToolResult>;
  /** Asks for a server of 2025, which does not say which call a question belongs to. */
  askFor(elicitation: McpElicitation, signal: AbortSignal): ServerQuestion;
} {
  const { client, serverName, clock, ask, end } = options;
  const calls = new Set<AskedTogether>();
  /** Questions while several calls were running: any of them may have asked. */
  const ofNobody = new Set<ServerQuestion>();

  function endAll(questions: Set<ServerQuestion>, outcome: ElicitationOutcome): void {
    for (const { request } of questions) end(request.elicitationId, outcome);
    questions.clear();
  }

  async function callTool(
    params: CallToolRequest["params"],
    { conversationId, toolCallId, ...rest }: McpCallOptions = {},
  ): Promise<CallToolResult> {
    const questions = new Set<ServerQuestion>();
    const call: AskedTogether = { conversationId, toolCallId, signal: rest.signal, questions };
    const sdkOptions = { timeout: NO_TIMEOUT, ...rest, allowInputRequired: true };
    calls.add(call);
    let outcome: ElicitationOutcome = "withdrawn";
    try {
      // Loaded with the first call: a page may connect long before it calls.
      const { callWatched } = await import("./watched-call.ts");
      let sent = params;
      for (let rounds = 0, retries = 0; ;) {
        let reply: CallToolResult;
        try {
          reply = await callWatched({ client, serverName }, sent, sdkOptions);
        } catch (error) {
          const urls = readRequiredUrls(error);
          if (urls === undefined || retries === MAX_RETRIES) throw error;
          retries += 1;
          await openPages(call, urls);
          continue;
        }
        const round = readRound(reply);
        if (round === undefined) {
          outcome = "accepted";
          return reply;
        }
        rounds += 1;
        if (rounds > MAX_ROUNDS)
          throw new Error("elicit-kit: the server needs too many rounds, so the call was ended.");
        sent = { ...params, ...(await answerRound(call, round)) };
      }
    } finally {
      calls.delete(call);
      endAll(questions, outcome);
      if (calls.size === 0) endAll(ofNobody, outcome);
    }
  }

  /** Asks several questions, whose answers are sent together. */
  function askAll(call: AskedTogether, elicitations: readonly McpElicitation[]): ServerQuestion[] {
    const size = elicitations.length;
    const round = size > 1 ? { id: newId(), size } : undefined;
    return elicitations.map((elicitation) => ask(elicitation, { ...call, round }));
  }

  /** Asks the questions of a round together. A page that was asked before is still the same card. */
  async function answerRound(call: AskedTogether, { requests, requestState }: McpRound) {
    const state = requestState === undefined ? {} : { requestState };
    if (requests.length === 0) {
      await new Promise<void>((resolve) => void clock.after(STATE_ONLY_PAUSE_MS, resolve));
      return state;
    }
    const asked = requests.map(({ key, method, params }) => {
      const read = readElicitation(params);
      if (method !== "elicitation/create" || !read.ok) {
        throw new Error("elicit-kit: the server asked for more than elicitation.");
      }
      const { value } = read;
      const known = value.mode === "url" ? pageOf(call, value.url) : undefined;
      return { key, elicitation: value, known };
    });
    const fresh = asked.filter(({ known }) => known === undefined);
    if (fresh.length === 0) await nextLook(asked.flatMap(({ known }) => known ?? []));
    const cards = askAll(
      call,
      fresh.map(({ elicitation }) => elicitation),
    );
    const answers = asked.map(async ({ key, known }): Promise<[string, McpElicitResult]> => {
      const question = known ?? cards.shift();
      return [key, (await question?.answer) ?? { action: "cancel" }];
    });
    return { inputResponses: Object.fromEntries(await Promise.all(answers)), ...state };
  }

  function pageOf({ questions }: AskedTogether, url: string): ServerQuestion | undefined {
    return [...questions].find(({ request }) => request.mode === "url" && request.url === url);
  }

  /** Resolves when the person says that they have finished on a page, or after a while. */
  function nextLook(pages: readonly ServerQuestion[]): Promise<void> {
    return new Promise((resolve) => {
      const stop = clock.after(NEXT_LOOK_MS, resolve);
      const finish = () => {
        stop();
        resolve();
      };
      for (const { finished } of pages) finished.add(finish);
    });
  }

  /** Asks for the pages of error -32042, and waits until the person or the server says that each is done. */
  async function openPages(call: AskedTogether, urls: readonly McpElicitation[]): Promise<void> {
    const pages = askAll(call, urls);
    await Promise.all(
      pages.map(async (page) => {
        const finished = new Promise<void>((resolve) => void page.finished.add(resolve));
        const { action } = await page.answer;
        if (action !== "accept") throw new Error("elicit-kit: the user did not open the page.");
        await finished;
      }),
    );
  }

  return {
    callTool,
    askFor(elicitation, signal) {
      const [call, ...others] = calls;
      return ask(elicitation, { questions: ofNobody, ...(others.length === 0 && call), signal });
    },
  };
}
