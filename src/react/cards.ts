"use client";
/** `elicit-kit/cards`: the cards by themselves, for a place of your own, and the inbox. */
export type { ConnectPromptProps, ElicitationPromptProps, FormElicitationProps } from "./card-props.ts";
export { ConnectPrompt } from "./connect-prompt/ConnectPrompt.tsx";
export { ElicitationPrompt } from "./elicitation-prompt/ElicitationPrompt.tsx";
export { ElicitationInbox, type ElicitationInboxProps } from "./elicitation-inbox/ElicitationInbox.tsx";
export { FormElicitation } from "./elicitations/LaterForm.tsx";
