"use client";
import { useState } from "react";
import { cardKindOf, formHeadingOf } from "../../words/cards/form-heading.ts";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";

/**
 * Asks the agent to ask again, once: the tool already has its answer, so only the agent can ask the same question. Renders
 * nothing if the app offers no way to the agent, or if the request ended with a yes.
 */
export function AskAgain({
  elicitation,
  catalogue,
  askAgain,
}: Pick<PromptShared, "elicitation" | "catalogue" | "askAgain">) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked || askAgain === undefined) return undefined;
  const view = buttonView(
    catalogue.askAgain,
    () => {
      setAsked(true);
      // Without direction marks, because a model reads it. Without texts of a third party, because it is the user's message.
      const { request } = elicitation;
      const about = request.mode === "url" ? request.service?.name : formHeadingOf(request)?.text;
      askAgain(catalogue.askAgainMessage(cardKindOf(request), about), elicitation);
    },
    {},
  );
  return drawView(view, "elicit-link-button");
}
