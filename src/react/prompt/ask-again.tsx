"use client";
import { useState, useEffect, useRef } from "react";
import { cardKindOf, formHeadingOf } from "../../words/cards/form-heading.ts";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";

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

/** For a request that a remembered answer has answered: the button to be asked next time. */
export function AskNextTime({
  elicitation,
  catalogue,
}: {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
}) {
  const [state, setState] = useState<"remembered" | "busy" | "forgotten" | "failed">("remembered");
  const { askNextTime, willAsk } = catalogue.remember;
  async function forget(): Promise<void> {
    if (state === "busy" || state === "forgotten") return;
    setState("busy");
    setState((await elicitation.forget()) ? "forgotten" : "failed");
  }
  const isDone = state === "forgotten";
  const said = useRef<HTMLOutputElement>(null);
  // The focused button is gone. Without this, keyboard users would start again at the top of the page.
  useEffect(() => {
    if (isDone) said.current?.focus();
  }, [isDone]);
  const button = buttonView(askNextTime, () => void forget(), { busy: state === "busy" || isDone });
  return (
    <>
      {drawView(button, "elicit-link-button", { hidden: isDone })}
      <output className="elicit-muted" tabIndex={-1} ref={said}>
        {isDone ? ` ${willAsk}` : state === "failed" ? ` ${catalogue.didNotWork}` : ""}
      </output>
    </>
  );
}
