"use client";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { useBrowserLayoutEffect } from "../browser-layout-effect.ts";
import { useUndoTime } from "../use-remaining.ts";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";

/** Takes a decline or a dismissal back, and says how long that is possible. */
export function Undo({ elicitation, catalogue }: { elicitation: BoundElicitation; catalogue: Catalogue }) {
  const left = useUndoTime(elicitation);
  const { undo } = elicitation;
  const buttonRef = useRef<HTMLElement>(null);
  const [all] = useState(left);
  // Before the ring is painted: it runs as long as the button can be pressed.
  useBrowserLayoutEffect(() => {
    const receipt = buttonRef.current?.closest<HTMLElement>(".elicit-receipt");
    if (all) receipt?.style.setProperty("--_undo", `${all}ms`);
  }, [all]);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    undo();
  }
  const button = buttonView(catalogue.undo, undo, {});
  return (
    <>
      {drawView(button, "elicit-link-button", { ref: buttonRef, "data-undo": "", onKeyDown })}
      {left ? (
        // A name in Latin letters before it would take the number along in a text from right to left.
        <bdi className="elicit-muted" role="timer">
          {catalogue.seconds(String(Math.ceil(left / 1_000)))}
        </bdi>
      ) : undefined}
    </>
  );
}

/** Asks the agent for an account after all, once: the tool has got its answer. */
export function AskAgain({
  elicitation,
  catalogue,
  askAgain,
}: Pick<PromptShared, "elicitation" | "catalogue"> & { askAgain: NonNullable<PromptShared["askAgain"]> }) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return undefined;
  const view = buttonView(
    catalogue.connectAfterAll,
    () => {
      setAsked(true);
      // Without marks of direction: a model reads it.
      const { request } = elicitation;
      const service = request.mode === "url" ? request.service?.name : undefined;
      askAgain(catalogue.askAgain(service), elicitation);
    },
    {},
  );
  return drawView(view, "elicit-link-button");
}
