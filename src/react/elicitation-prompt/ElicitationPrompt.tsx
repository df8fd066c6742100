"use client";
import { memo } from "react";
import { waitsForOther } from "../bound-elicitation.ts";
import type { ElicitationPromptProps } from "../card-props.ts";
import { ConnectPrompt } from "../connect-prompt/ConnectPrompt.tsx";
import { useSettings } from "../use-settings.ts";
import { FormElicitation } from "../elicitations/LaterForm.tsx";

/** Any request as a card: the app's own card for its `context.trigger`, otherwise the kit's card for its mode. */
export const ElicitationPrompt = memo(function ElicitationPrompt(props: ElicitationPromptProps) {
  const { elicitation, catalogue } = props;
  const { components, onAskAgain } = useSettings(props);
  const { mode, context } = elicitation.request;
  // While another user decides, the card has no questions, so an app's card for questions does not fit.
  const waits = waitsForOther(elicitation);
  const byContext = components?.context ?? {};
  if (
    context !== undefined &&
    !waits &&
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
  const own = waits ? components?.AssignedElicitation : components?.FormElicitation;
  const Prompt = own ?? FormElicitation;
  return <Prompt {...props} />;
});
