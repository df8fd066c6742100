"use client";
import { type ComponentType, memo } from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { ConnectPrompt, type ConnectPromptProps } from "../connect-prompt/ConnectPrompt.tsx";
import type { Controls } from "../form-elicitation/context.ts";
import { type CardSettings, useSettings } from "../elicitation-provider.tsx";
import { FormElicitation } from "../elicitations/LaterForm.tsx";
import type { FormElicitationProps } from "../form-elicitation/FormElicitation.tsx";

/** Replacements for the kit's own components. Keep the object outside of the component that passes it. */
export interface ElicitationComponents {
  /** Controls of forms, by the name of a built-in one or by a hint of your own: `{ rating: Stars }`. */
  control?: Controls | undefined;
  /** Cards for your own requests, by `context.trigger`. Blocked requests are never passed to them. */
  context?: Readonly<Record<string, ComponentType<ElicitationPromptProps>>> | undefined;
  ConnectPrompt?: ComponentType<ConnectPromptProps> | undefined;
  FormElicitation?: ComponentType<FormElicitationProps> | undefined;
}

export interface ElicitationPromptProps extends CardSettings {
  /** One of `elicitations` of `useElicitationList`. */
  elicitation: BoundElicitation;
}

/** Any request as a card: the app's own for its `context.trigger`, otherwise the kit's for its mode. */
export const ElicitationPrompt = memo(function ElicitationPrompt(props: ElicitationPromptProps) {
  const { elicitation, catalogue } = props;
  const { components, onAskAgain } = useSettings(props);
  const { mode, context } = elicitation.request;
  const byContext = components?.context ?? {};
  if (
    context !== undefined &&
    elicitation.blocked === undefined &&
    Object.hasOwn(byContext, context.trigger)
  ) {
    const Own = byContext[context.trigger];
    if (Own !== undefined) return <Own {...props} />;
  }
  if (mode === "url") {
    const Prompt = components?.ConnectPrompt ?? ConnectPrompt;
    return <Prompt elicitation={elicitation} catalogue={catalogue} onAskAgain={onAskAgain} />;
  }
  const Prompt = components?.FormElicitation ?? FormElicitation;
  return <Prompt {...props} />;
});
