"use client";
import { useEffect, useRef, useState } from "react";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";

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
