"use client";
/**
 * `elicit-kit/parts`: the unstyled parts of the cards, to arrange in your own way. The types of a part stand under its name:
 * `ConnectPromptParts.Url.Props`.
 */
export { FormElicitation } from "./form-elicitation/FormElicitation.tsx";
export * as ConnectPromptParts from "./connect-prompt/index.parts.ts";
export * as FormElicitationParts from "./form-elicitation/index.parts.ts";
export type { PartOverrides, RenderProps } from "./part.ts";
