/**
 * The messages between the card of an MCP App (SEP-1865) and the server that asks. The card is a view in the host. It
 * calls tools of the server through the host, and replaces the elicitation that a client lacks.
 */
import { isObject } from "../../contract/json.ts";

/** The extension that hosts with MCP Apps declare. */
export const UI_EXTENSION = "io.modelcontextprotocol/ui";
export const APP_MIME_TYPE = "text/html;profile=mcp-app";

/** The tools of the card. `result` is for the model, the others are only for the view. */
export const CARD_TOOLS = {
  next: "elicitation_next",
  answer: "elicitation_answer",
  result: "elicitation_result",
} as const;

/** The key in `_meta` of a result for a round that was handed over. Only the view reads `_meta`. */
export const ROUND_META = "elicit-kit/round";

/** The current questions of a call. Only the newest version can be answered, once. */
export interface CardRound {
  readonly call: string;
  readonly version: number;
  /** `elicitation/create` requests by key, as in MCP 2026-07-28. */
  readonly inputRequests: Readonly<Record<string, unknown>>;
  /** RFC 3339: when the first of the questions expires. */
  readonly expiresAt?: string | undefined;
}

/** A round whose call has returned. It contains all data that any process needs to continue. */
export interface HandedRound extends CardRound {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly requestState: string;
}

/** The reply of `elicitation_next`. */
export type NextReply =
  /** There is nothing new. Without `call`: this view has no call yet. */
  | { readonly status: "waiting"; readonly call?: string }
  | { readonly status: "asked"; readonly round: CardRound }
  | { readonly status: "handed"; readonly round: HandedRound }
  /** There are no more questions. `withdrawn`: the call was cancelled. */
  | { readonly status: "ended"; readonly withdrawn: boolean };

/** A field with an invalid answer. */
export interface AnswerError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The reply of `elicitation_answer`. */
export type AnswerReply =
  /** The answers were taken. After a handover, this contains the next round or the result of the call. */
  | { readonly kind: "settled"; readonly round?: HandedRound; readonly result?: CardResult }
  /** An answer does not fit its form. No answer was taken, and the question stays open. */
  | { readonly kind: "refused"; readonly key: string; readonly errors: readonly AnswerError[] }
  /** The question has ended, or belongs to another user or view. */
  | { readonly kind: "gone" };

/**
 * The result of a call that was handed over. `taken`: the model gets it, through `elicitation_result`. Otherwise the view
 * passes it to its host, and says with `delivered` whether the host has accepted it.
 */
export interface CardResult {
  readonly taken: boolean;
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
}

/** Whether a client shows MCP Apps, by its capabilities. */
export function showsApps(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  const ui = isObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  const types = isObject(ui) ? ui["mimeTypes"] : undefined;
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}

/** Whether a client shows the server's own view for forms (SEP-3118), by its capabilities. */
export function showsOwnForms(capabilities: unknown): boolean {
  if (!isObject(capabilities) || !showsApps(capabilities)) return false;
  const { elicitation, extensions } = capabilities;
  const ui = isObject(extensions) ? extensions[UI_EXTENSION] : undefined;
  const isFormAsked = isObject(elicitation) && isObject(elicitation["form"]);
  return isFormAsked && isObject(ui) && isObject(ui["elicitation"]);
}

export function isCardRound(value: unknown): value is CardRound {
  if (!isObject(value)) return false;
  const { call, version, inputRequests, expiresAt } = value;
  return (
    typeof call === "string" &&
    typeof version === "number" &&
    isObject(inputRequests) &&
    (expiresAt === undefined || typeof expiresAt === "string")
  );
}

export function isHandedRound(value: unknown): value is HandedRound {
  if (!isCardRound(value) || !isObject(value)) return false;
  const { tool, arguments: args, requestState } = value;
  return typeof tool === "string" && isObject(args) && typeof requestState === "string";
}
