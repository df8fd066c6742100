"use client";
/**
 * `elicit-kit/parts`: the unstyled parts of the cards, for your own layout. The types of a part are members of its name:
 * `ConnectPromptParts.Url.Props`.
 */
export { FormElicitation } from "./form-elicitation/FormElicitation.tsx";
export * as ConnectPromptParts from "./connect-prompt/index.parts.ts";
export * as FormElicitationParts from "./form-elicitation/index.parts.ts";
export type { PartOverrides, RenderProps } from "./part.ts";
