import type { ElicitationContent, ElicitationRequest, PagePurpose } from "../src/contract/contract.ts";
import type { FormQuestion } from "../src/runtime/index.ts";
import type { ElicitationResult } from "../src/runtime/internal.ts";

/** The agent's steps in one turn of the mock server. */
export type Script = readonly Step[];

/** A chunk of a UI message stream, of any kind. */
export interface Chunk {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The result of a tool, or a function that computes it from how its last request ended. */
export type Output = Json | ((last: ElicitationResult) => Json);

/** One step of a script. Made by {@link say}, {@link call}, {@link askToConnect}, {@link askForm}, and so on. */
export type Step =
  | { readonly kind: "say"; readonly text: string | ((last: ElicitationResult) => string) }
  | { readonly kind: "call"; readonly tool: string; readonly input: Json; readonly output: Output }
  | { readonly kind: "ask"; readonly questions: readonly ScriptedQuestion[] }
  | { readonly kind: "write"; readonly chunk: Chunk };

interface AskOptions {
  /** The requester, if it is not the agent itself. */
  requester?: ElicitationRequest["requester"];
  /** @default `credential_required` as the trigger of `askToConnect`, `tool` as that of `askForm` */
  context?: ElicitationRequest["context"];
  /**
   * Milliseconds until the request expires.
   * @default the mock server's `expiresInMs`
   */
  expiresInMs?: number | undefined;
}

/** Options of `askToConnect`: the service, and the texts of its request. */
export interface AskToConnectOptions extends AskOptions {
  /** Display name of the service: "Tracker". */
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
   * The purpose of the page.
   * @default "connect"
   */
  purpose?: PagePurpose | undefined;
  /** The provider's name of the account that the user connects: "alice". */
  account?: string | undefined;
  /** The page has headers that remove its opener (COOP), so it cannot notify the chat. */
  losesOpener?: boolean | undefined;
}

/** Options of `askForm`: the message, the fields, and the expiry. */
export interface AskFormOptions extends AskOptions {
  message: string;
  /** The fields: property name to JSON Schema of the restricted kind. */
  properties: Readonly<Record<string, unknown>>;
  /** @default none */
  required?: readonly string[] | undefined;
  /** Lets the user allow the reuse of the answer, like `remember` of an elicitor. @default not offered */
  remember?: FormQuestion["remember"];
  /** Who decides in place of the user, as `assignee` of an elicitor: see `assign` of the mock server. @default the user */
  assignee?: FormQuestion["assignee"];
  /** The answer if the chat cannot show forms. */
  fallback?: ElicitationContent | undefined;
  /** Lets the user leave the decision to the agent, which then gets the `fallback`. @default not offered */
  delegate?: boolean | undefined;
  /**
   * Asks in the background, as `later` of an elicitor: the script continues, and the first step that depends on the answer
   * waits for it. It needs a {@link call} before it.
   * @default false
   */
  background?: boolean | undefined;
}

export type ScriptedQuestion =
  | ({ readonly mode: "url" } & AskToConnectOptions)
  | ({ readonly mode: "form" } & AskFormOptions);

type AskStep = Extract<Step, { kind: "ask" }>;

/** The agent writes a text, which may depend on how the last request ended. */
export function say(text: string | ((last: ElicitationResult) => string)): Step {
  return { kind: "say", text };
}

/**
 * The agent calls a tool. The requests up to the next `say` or `call` belong to this tool call. If the user accepts all
 * of them, the tool returns `output`, otherwise a text for the model with the reason.
 */
export function call(tool: string, input: Json = {}, output: Output = { ok: true }): Step {
  return { kind: "call", tool, input, output };
}

/** Asks the user to connect an account (mode `url`) and waits. */
export function askToConnect(options: AskToConnectOptions): AskStep {
  return { kind: "ask", questions: [{ mode: "url", ...options }] };
}

/** Asks the user to fill in a form (mode `form`) and waits. */
export function askForm(options: AskFormOptions): AskStep {
  return { kind: "ask", questions: [{ mode: "form", ...options }] };
}

/** Asks several requests at the same time and waits for all of them. */
export function together(...asks: readonly AskStep[]): Step {
  return { kind: "ask", questions: asks.flatMap(({ questions }) => questions) };
}

/** Writes any chunk to the stream, such as the events of another platform or unknown ones. */
export function write(chunk: Chunk): Step {
  return { kind: "write", chunk };
}
