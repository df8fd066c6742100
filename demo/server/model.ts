import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { isRefusal } from "../refusal.ts";
import { fillIn } from "./fill-in.ts";
import { type Deed, type ScriptWords, scriptWords } from "./script-words.ts";

type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
type CallOptions = Parameters<Model["doStream"]>[0];
type StreamPart =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Message = CallOptions["prompt"][number];

const SCRIPT_ID = "script-instead-of-a-language-model";
const WORD_PAUSE_MS = 15;

/**
 * The demo's model. Without `MODEL_BASE_URL` it is a script that replaces a language model, because a new machine has
 * none. The script plays the journeys of the demo, and its id names it as a script. `MODEL_BASE_URL`, `MODEL` and
 * `MODEL_API_KEY` select any OpenAI-compatible model instead.
 */
export function createModel(
  env: Readonly<Record<string, string | undefined>>,
  languages?: readonly string[],
): LanguageModel {
  const { MODEL_BASE_URL: baseURL, MODEL: model, MODEL_API_KEY: apiKey } = env;
  if (baseURL === undefined || baseURL === "") return scriptedModel(scriptWords(languages));
  if (model === undefined || model === "") {
    throw new Error(
      "elicit-kit: MODEL_BASE_URL is set, but MODEL is not. Set MODEL to the name of a model there.",
    );
  }
  return createOpenAICompatible({ name: "demo", baseURL, ...(apiKey !== undefined && { apiKey }) })(model);
}

function scriptedModel(words: ScriptWords): Model {
  return {
    specificationVersion: "v4",
    provider: "elicit-kit-demo",
    modelId: SCRIPT_ID,
    supportedUrls: {},
    async doGenerate(options) {
      if (options.responseFormat?.type === "json") {
        const text = JSON.stringify(fillIn(options.responseFormat.schema, lastText(options.prompt)));
        return { content: [{ type: "text", text }], warnings: [], ...ending([]) };
      }
      const { say, calls } = play(options, words);
      return {
        content: [{ type: "text", text: say }, ...calls.map(toToolCall)],
        warnings: [],
        ...ending(calls),
      };
    },
    async doStream(options) {
      return { stream: toStream(speak(play(options, words), options.abortSignal)) };
    },
  };
}

/** One step of the model: its text, and the tools that it calls. */
interface Step {
  say: string;
  calls: readonly ToolCall[];
}

interface ToolCall {
  toolName: string;
  input: Readonly<Record<string, string | boolean | number>>;
}

/** A tool call. `tool` is the end of the tool's name: the agent may add a prefix. */
interface Action {
  tool:
    | "create_issue"
    | "book_flight"
    | "check_weather"
    | "travel_agent"
    | "refund_order"
    | "write_notes"
    | "send_mail"
    | "find_page"
    | "publish_page"
    | `planner_${string}plan_day`;
  input: Readonly<Record<string, string | boolean | number>>;
}

/** An amount in the message counts. */
function refundOf(asked: string) {
  const [, euros = "42"] = /(\d{1,4}) euros/i.exec(asked) ?? [];
  return { order: "A-1742", euros: Number(euros), reason: "The kettle arrived broken." };
}

/** Chooses the step by the user's last message and the number of rounds of tool results after it. */
function play({ prompt, tools = [] }: CallOptions, words: ScriptWords): Step {
  const answer = noteOf(prompt.at(-1));
  if (answer !== undefined) return { say: explain(resultOf("book_flight", answer, words), words), calls: [] };
  const lastAsked = prompt.findLastIndex(
    (message) => message.role === "user" && noteOf(message) === undefined,
  );
  const asked = wishOf(prompt.slice(0, lastAsked + 1), words);
  const rounds = prompt.slice(lastAsked + 1).filter(({ role }) => role === "tool");
  const results = rounds.flatMap((round) => resultsOf(round, words));
  const [first, ...later] = roundsFor(asked);
  if (first === undefined) return { say: words.help, calls: [] };

  const refused = results.some(({ refusal }) => refusal !== undefined);
  // If the user asks for it, the script calls a refused tool again, as some models do.
  const insists = /insist|try again/i.test(asked) && refused;
  const next = [first, ...later, ...(insists ? [first] : [])][rounds.length];
  if (next === undefined)
    return { say: results.map((result) => explain(result, words)).join(" "), calls: [] };

  const calls = next.flatMap(({ tool, input }) => {
    const toolName = tools.find(({ name }) => name.endsWith(tool))?.name;
    return toolName === undefined ? [] : [{ toolName, input }];
  });
  if (calls.length === 0) return { say: words.noTool, calls };
  if (rounds.length === 0) return { say: `${words.care} `, calls };
  return { say: `${insists ? words.again : words.next} `, calls };
}

/**
 * The user's last message. After a no, a message that names nothing else, such as that of "Ask again" in any language,
 * means the wish before it.
 */
function wishOf(prompt: CallOptions["prompt"], words: ScriptWords): string {
  const asked = textOf(prompt.at(-1));
  if (roundsFor(asked).length > 0) return asked;
  const before = prompt.findLastIndex(({ role }, at) => role === "user" && at < prompt.length - 1);
  const results = prompt.slice(before + 1).flatMap((message) => resultsOf(message, words));
  const isRefused = before >= 0 && results.some(({ refusal }) => refusal !== undefined);
  return isRefused ? wishOf(prompt.slice(0, before + 1), words) : asked;
}

/** The tool calls for a message, by round. The calls of one round run in parallel. */
function roundsFor(asked: string): readonly (readonly Action[])[] {
  const title = titleOf(asked);
  const issue = (name: string): Action => ({
    tool: "create_issue",
    input: { title: name, body: `Reported in the chat: ${asked.slice(0, 2000)}` },
  });
  const flight: Action = { tool: "book_flight", input: {} };
  if (/flight.*weather/i.test(asked)) {
    return [[{ ...flight, input: { background: true } }], [{ tool: "check_weather", input: {} }]];
  }
  if (/team day/i.test(asked)) return [[{ tool: plannerTool(asked), input: {} }]];
  if (/refund/i.test(asked)) return [[{ tool: "refund_order", input: refundOf(asked) }]];
  if (/notes of version/i.test(asked)) return [[{ tool: "write_notes", input: {} }]];
  if (/\bmail\b/i.test(asked)) return [[mailAction(asked)]];
  if (/travel agent/i.test(asked))
    return [[{ tool: "travel_agent", input: { message: asked.slice(0, 2000) } }]];
  if (/wiki/i.test(asked)) return [[wikiAction(asked)]];
  const wantsFlight = /flight/i.test(asked);
  // "Please connect Tracker after all." comes from the receipt of a declined account, in the language of the page.
  const wantsIssue = /issue|bug|both|tracker/i.test(asked);
  if (/two issues/i.test(asked)) return [[issue(title)], [issue(`${title} (second)`)]];
  if (/both/i.test(asked) || (wantsIssue && wantsFlight)) {
    return /\bthen\b|one after/i.test(asked) ? [[issue(title)], [flight]] : [[issue(title), flight]];
  }
  if (wantsIssue) return [[issue(title)]];
  return wantsFlight ? [[flight]] : [];
}

/** The same MCP server runs in three revisions. The script uses an older one if the user asks for it. */
function plannerTool(asked: string): Action["tool"] {
  if (/2025-06/.test(asked)) return "planner_2025_06_plan_day";
  return /2025-11/.test(asked) ? "planner_2025_11_plan_day" : "planner_plan_day";
}

/** Sends a mail, from another account if the user asks for that. */
function mailAction(asked: string): Action {
  const subject = titleOf(asked, "The release");
  return {
    tool: "send_mail",
    input: { subject, ...(/another|other/i.test(asked) && { otherAccount: true }) },
  };
}

/** Calls a server that the user has added. */
function wikiAction(asked: string): Action {
  if (/publish|write/i.test(asked)) {
    return { tool: "publish_page", input: { title: "Release notes", text: "It waits for you now." } };
  }
  const words = /(?:find|look up) (?:the )?(.+?) in (?:the |my )?wiki/i.exec(asked)?.[1] ?? "policy";
  return { tool: "find_page", input: { words: words.slice(0, 100) } };
}

function titleOf(asked: string, otherwise = "Login bug"): string {
  const about =
    /\babout (?:the )?(.+?)(?=[.,;!?]|\s+(?:and )?then\b|\s+and (?:book|a flight|try|insist)\b|\s+from another\b|$)/i;
  const title = about.exec(asked)?.[1]?.slice(0, 100) ?? otherwise;
  return title.charAt(0).toUpperCase() + title.slice(1);
}

interface Result {
  /** What the user has asked for, such as "plan the weekend". */
  deed: string;
  text: string;
  /** The reason why there is no answer, in the runtime's words. */
  refusal?: string | undefined;
}

/** The text after the result. The receipt beside it shows how the request ended. */
function explain({ deed, text, refusal }: Result, words: ScriptWords): string {
  if (refusal === undefined) return text;
  if (refusal.includes("the user declined")) {
    const note = noteIn(refusal);
    return note === undefined ? words.declined(deed) : words.declinedWith(deed, note);
  }
  if (refusal.includes("the user dismissed")) return words.dismissed(deed);
  if (refusal.includes("nobody answered") || refusal.includes("was withdrawn")) return words.missed(deed);
  if (refusal.includes("requires user authentication")) return words.connectFirst(deed);
  const [, administrator] =
    /the user's company does not allow .*Tell them that (.+) can\.$/.exec(refusal) ?? [];
  if (administrator !== undefined) return words.companyRefuses(deed, administrator);
  return words.failed(deed, refusal);
}

/** The user's own words in a refusal: a JSON string. */
function noteIn(refusal: string): string | undefined {
  const [, quoted] = /The user's own words: ("(?:[^"\\]|\\.)*")/.exec(refusal) ?? [];
  return quoted === undefined ? undefined : String(JSON.parse(quoted));
}

function resultsOf(message: Message, words: ScriptWords): Result[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { toolName, output } = part;
    const deed = words.deeds[deedOf(toolName)];
    switch (output.type) {
      case "text":
        return [resultOf(toolName, output.value, words)];
      case "error-text":
        if (isRefusal(output.value)) return [{ deed, text: "", refusal: output.value }];
        // The AI SDK puts the name of the error's class before its message.
        return [{ deed, text: words.failed(deed, output.value.replace(/^\w*(?:Error|Failure): /, "")) }];
      case "json":
        return [{ deed, text: words.done(describe(output.value, words)) }];
      default:
        return [{ deed, text: words.failed(deed) }];
    }
  });
}

function resultOf(toolName: string, text: string, words: ScriptWords): Result {
  const deed = words.deeds[deedOf(toolName)];
  if (isRefusal(text)) return { deed, text: "", refusal: text };
  return { deed, text: text.startsWith("Asked.") ? words.waits : words.done(text) };
}

/** The result of a call that asked in the background, if the message is the kit's note about it. */
function noteOf(message: Message | undefined): string | undefined {
  const [, json] = /^Automatic note, not written by the user: .*?: (".*")$/s.exec(textOf(message)) ?? [];
  return json === undefined ? undefined : String(JSON.parse(json));
}

function deedOf(toolName: string): Deed {
  if (toolName.endsWith("plan_day")) return "day";
  if (toolName.endsWith("travel_agent")) return "weekend";
  if (toolName.endsWith("find_page")) return "find";
  if (toolName.endsWith("publish_page")) return "publish";
  if (toolName.endsWith("send_mail")) return "mail";
  if (toolName.endsWith("write_notes")) return "notes";
  if (toolName.endsWith("refund_order")) return "refund";
  if (toolName.endsWith("check_weather")) return "weather";
  return toolName.endsWith("book_flight") ? "flight" : "issue";
}

/** Formats an issue of the tracker, and other results of MCP servers by their text. */
function describe(value: unknown, words: ScriptWords): string {
  if (typeof value === "object" && value !== null && "structuredContent" in value && "text" in value) {
    const { text, structuredContent: structure } = value;
    return typeof structure === "object" && structure !== null && "number" in structure
      ? describe(structure, words)
      : String(text);
  }
  if (typeof value === "object" && value !== null && "number" in value && "title" in value) {
    return words.created(String(value.number), String(value.title));
  }
  return JSON.stringify(value);
}

/** The user's latest message about a form. */
function lastText(prompt: CallOptions["prompt"]): string {
  const { text }: { text?: unknown } = Object(JSON.parse(textOf(prompt.at(-1)) || "{}"));
  return typeof text === "string" ? text : "";
}

function textOf(message: Message | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

async function* speak(step: Step, signal: AbortSignal | undefined): AsyncGenerator<StreamPart, void> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", modelId: SCRIPT_ID };
  yield { type: "text-start", id: "text" };
  for (const delta of step.say.match(/\S+\s*/g) ?? []) {
    await sleep(WORD_PAUSE_MS, undefined, { signal });
    yield { type: "text-delta", id: "text", delta };
  }
  yield { type: "text-end", id: "text" };
  for (const call of step.calls) yield toToolCall(call);
  yield { type: "finish", ...ending(step.calls) };
}

function toStream<T>(parts: AsyncGenerator<T, void>): ReadableStream<T> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return();
    },
  });
}

function toToolCall({ toolName, input }: ToolCall) {
  const toolCallId = `call_${crypto.randomUUID()}`;
  return { type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) } as const;
}

function ending(calls: readonly ToolCall[]) {
  const reason = calls.length === 0 ? "stop" : "tool-calls";
  return {
    finishReason: { unified: reason, raw: undefined },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
  } as const;
}
