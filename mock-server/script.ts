import type { ElicitationContent, ElicitationRequest, PagePurpose } from "../src/contract/contract.ts";
import type { FormQuestion } from "../src/runtime/index.ts";
import type { ElicitationResult } from "../src/runtime/internal.ts";

/** What the agent of a mock server does in one turn, step by step. */
export type Script = readonly Step[];

/** A chunk of a UI message stream, of any kind. */
export interface Chunk {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What can be written as JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What a tool returns, or what makes it of how its last request ended. */
export type Output = Json | ((last: ElicitationResult) => Json);

/** One step of a script. Made by {@link say}, {@link call}, {@link askToConnect}, {@link askForm}, and so on. */
export type Step =
  | { readonly kind: "say"; readonly text: string | ((last: ElicitationResult) => string) }
  | { readonly kind: "call"; readonly tool: string; readonly input: Json; readonly output: Output }
  | { readonly kind: "ask"; readonly questions: readonly ScriptedQuestion[] }
  | { readonly kind: "write"; readonly chunk: Chunk };

interface AskOptions {
  /** Who asks, when it is not the agent itself. */
  requester?: ElicitationRequest["requester"];
  /** @default `credential_required` as the trigger of a question for an account, `tool` of a form */
  context?: ElicitationRequest["context"];
  /**
   * How long the user may take, in milliseconds.
   * @default the mock server's `expiresInMs`
   */
  expiresInMs?: number | undefined;
}

/** What `askToConnect` takes: the service, and how the request for it looks. */
export interface AskToConnectOptions extends AskOptions {
  /** What is connected, as people call it: "Tracker". */
  service: string;
  /** @default "To continue I need access to your SERVICE account." */
  message?: string | undefined;
  /**
   * Absolute.
   * @default the mock's own page, see `connectPage` of the mock server
   */
  url?: string | undefined;
  /** @default "completion" */
  acceptMeans?: "completion" | "consent" | undefined;
  /**
   * What the page is for.
   * @default "connect"
   */
  purpose?: PagePurpose | undefined;
  /** What the provider calls the account that the user connects: "alice". */
  account?: string | undefined;
  /** The page is served so that it loses its opener (COOP) and cannot tell the chat that it is done. */
  losesOpener?: boolean | undefined;
}

/** What `askForm` takes: the question, its fields, and how long it stands. */
export interface AskFormOptions extends AskOptions {
  message: string;
  /** The fields: property name to JSON Schema of the restricted kind. */
  properties: Readonly<Record<string, unknown>>;
  /** @default none */
  required?: readonly string[] | undefined;
  /** The user may let the answer be used again, as `remember` of an elicitor. @default not offered */
  remember?: FormQuestion["remember"];
  /** What is taken as the answer when the chat cannot show forms. */
  fallback?: ElicitationContent | undefined;
}

export type ScriptedQuestion =
  | ({ readonly mode: "url" } & AskToConnectOptions)
  | ({ readonly mode: "form" } & AskFormOptions);

type AskStep = Extract<Step, { kind: "ask" }>;

/** The agent says something: a text, or one that depends on how the last request ended. */
export function say(text: string | ((last: ElicitationResult) => string)): Step {
  return { kind: "say", text };
}

/**
 * The agent calls a tool. Whatever is asked until the agent speaks again or calls another one is asked by this tool
 * while it runs. It returns `output` when all of that was accepted, otherwise what a tool tells the model then.
 */
export function call(tool: string, input: Json = {}, output: Output = { ok: true }): Step {
  return { kind: "call", tool, input, output };
}

/** Asks the user to connect an account (mode `url`) and waits. */
export function askToConnect(options: AskToConnectOptions): AskStep {
  return { kind: "ask", questions: [{ mode: "url", ...options }] };
}

/** Asks the user for a few facts (mode `form`) and waits. */
export function askForm(options: AskFormOptions): AskStep {
  return { kind: "ask", questions: [{ mode: "form", ...options }] };
}

/** Asks several things at the same time and waits for all. */
export function together(...asks: readonly AskStep[]): Step {
  return { kind: "ask", questions: asks.flatMap(({ questions }) => questions) };
}

/** Writes any chunk to the stream: the events of another platform, or ones that nobody knows. */
export function write(chunk: Chunk): Step {
  return { kind: "write", chunk };
}
