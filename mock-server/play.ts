import type { Question, Turn } from "../src/runtime/index.ts";
import {
  type ElicitationResult,
  askedText,
  informationRefusedText,
  pageRefusedText,
} from "../src/runtime/internal.ts";
import { purposeOf } from "../src/contract/contract.ts";
import type { AskToConnectOptions, Chunk, Json, Script, ScriptedQuestion, Step } from "./script.ts";

/** The parts of the mock server that a script needs. */
export interface Stage {
  newId(): string;
  /** The URL for a URL request that has none. */
  connectUrl(elicitationId: string, options: AskToConnectOptions): string;
  /** Aborts when the test withdraws this request. */
  withdrawal(elicitationId: string): AbortSignal;
  /** Sets the provider's name of the account that this request connects. */
  nameAccount(elicitationId: string, account: string | undefined): void;
}

/** A running tool call, with its requests so far. */
interface OpenCall {
  readonly step: Extract<Step, { kind: "call" }>;
  readonly toolCallId: string;
  refused: string | undefined;
  /** The tool needs a page that the chat cannot show. */
  hasFailed: boolean;
}

/** Runs a script as the agent of one turn. */
export async function* play(script: Script, turn: Turn, stage: Stage): AsyncGenerator<Chunk, void, void> {
  let last: ElicitationResult | undefined;
  let open: OpenCall | undefined;

  function* endCall(): Generator<Chunk, void, void> {
    if (open === undefined) return;
    const { toolCallId, refused, hasFailed } = open;
    const ended = open;
    open = undefined;
    if (refused !== undefined && hasFailed) {
      yield { type: "tool-output-error", toolCallId, errorText: refused };
      return;
    }
    yield { type: "tool-output-available", toolCallId, output: outputOf(ended) };
  }

  function outputOf({ refused, step: { output } }: OpenCall): Json {
    return refused ?? (typeof output === "function" ? after(output, last) : output);
  }

  async function ask(questions: readonly ScriptedQuestion[], of: OpenCall | undefined): Promise<void> {
    const results = await Promise.all(
      questions.map(async (scripted) => {
        const result = await turn.ask(questionOf(scripted, of, stage));
        if (of !== undefined) {
          of.refused ??= refusalText(scripted, of.step.tool, result);
          of.hasFailed ||= scripted.mode === "url" && result.outcome === "unsupported";
        }
        return result;
      }),
    );
    last = results.at(-1);
  }

  /** Waits for the questions in the background. */
  async function answers(): Promise<void> {
    while ((await turn.background.next()).length > 0);
  }

  yield { type: "start", messageId: stage.newId() };
  yield { type: "start-step" };
  for (const step of script) {
    if (step.kind === "say") {
      yield* endCall();
      if (typeof step.text === "function") await answers();
      const text = typeof step.text === "function" ? after(step.text, last) : step.text;
      yield* speak(stage.newId(), text);
    } else if (step.kind === "call") {
      yield* endCall();
      const toolCallId = stage.newId();
      open = { step, toolCallId, refused: undefined, hasFailed: false };
      yield { type: "tool-input-start", toolCallId, toolName: step.tool };
      yield { type: "tool-input-available", toolCallId, toolName: step.tool, input: step.input };
    } else if (step.kind === "ask") {
      const { questions } = step;
      if (questions.some((each) => each.mode === "form" && each.background === true)) {
        const later = open ?? missingCall();
        open = undefined;
        turn.background.run({ toolCallId: later.toolCallId, tool: later.step.tool }, async () => {
          await ask(questions, later);
          return outputOf(later);
        });
        yield { type: "tool-output-available", toolCallId: later.toolCallId, output: askedText };
      } else {
        await ask(questions, open);
      }
    } else {
      yield step.chunk;
    }
  }
  yield* endCall();
  await answers();
  yield { type: "finish-step" };
  yield { type: "finish" };
}

/** Writes a text word by word, as models do. */
function* speak(id: string, text: string): Generator<Chunk, void, void> {
  yield { type: "text-start", id };
  for (const [delta] of text.matchAll(/\s*\S+|\s+$/g)) yield { type: "text-delta", id, delta };
  yield { type: "text-end", id };
}

function missingCall(): never {
  throw new Error("elicit-kit: a question in the background needs a tool call. Put a call before it.");
}

/** The value of a step, which may depend on how the last request ended. */
function after<T>(react: (last: ElicitationResult) => T, last: ElicitationResult | undefined): T {
  if (last !== undefined) return react(last);
  throw new Error(
    "elicit-kit: a step of the script depends on an answer before anything was asked. Put an askToConnect or askForm before it.",
  );
}

function questionOf(scripted: ScriptedQuestion, open: OpenCall | undefined, stage: Stage): Question {
  const elicitationId = stage.newId();
  const { requester, context, expiresInMs } = scripted;
  const common = {
    elicitationId,
    signal: stage.withdrawal(elicitationId),
    requester,
    // The page of the mock server does not sign users in.
    context:
      context ??
      (scripted.mode === "url" ? { trigger: "credential_required", worksByLink: true } : { trigger: "tool" }),
    expiresInMs,
    toolCallId: open?.toolCallId,
  };
  const name = open?.step.tool;
  if (scripted.mode === "form") {
    const { message, properties, required, remember, assignee, fallback, delegate } = scripted;
    const requestedSchema = { type: "object", properties, ...(required && { required }) } as const;
    const tool = name === undefined ? undefined : { id: name, name };
    const left = { fallback, delegate };
    return { ...common, mode: "form", message, requestedSchema, remember, assignee, ...left, tool };
  }
  const { service, acceptMeans, purpose } = scripted;
  stage.nameAccount(elicitationId, scripted.account);
  const { message = `To go on I need access to your ${service} account.` } = scripted;
  const url = scripted.url ?? stage.connectUrl(elicitationId, scripted);
  const tool = name === undefined ? undefined : { id: service, name };
  return { ...common, mode: "url", message, url, acceptMeans, service: { name: service }, purpose, tool };
}

/** The text for the model when a tool did not get its answer. */
function refusalText(
  scripted: ScriptedQuestion,
  tool: string,
  result: ElicitationResult,
): string | undefined {
  if (result.outcome === "accepted") return undefined;
  if (scripted.mode === "url") {
    const { service, purpose } = scripted;
    return pageRefusedText(result, {
      tool,
      service,
      purpose: purposeOf({ purpose, service: { name: service } }),
    });
  }
  const { properties } = scripted;
  return informationRefusedText(result, { tool, requestedSchema: { type: "object", properties } });
}
