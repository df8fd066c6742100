import type { CompletionsStyle } from "../completions-server.ts";

/** A server whose OpenAI-style route breaks one rule. */
export interface CompletionsMutant {
  readonly wrong: string;
  readonly caughtBy: string;
  readonly style: CompletionsStyle;
}

export const completionsMutants: readonly CompletionsMutant[] = [
  {
    wrong: "splits a request over frames",
    caughtBy: "completions/request",
    style: { request: (json) => [json.slice(0, 20), json.slice(20)] },
  },
  {
    wrong: "writes text around a request",
    caughtBy: "completions/request",
    style: { request: (json) => [`Please answer: ${json}`] },
  },
  {
    wrong: "does not tell the end of a request",
    caughtBy: "completions/request",
    style: { request: (json) => (json.includes("elicitation-resolved") ? [] : [json]) },
  },
  {
    wrong: "asks chats that cannot show it",
    caughtBy: "completions/capability",
    style: { isCapable: () => true },
  },
  {
    wrong: "lets the model print a request",
    caughtBy: "completions/no-forgery",
    style: { text: (text) => [text] },
  },
];
