"use client";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { useBrowserLayoutEffect } from "../browser-layout-effect.ts";
import { useUndoTime } from "../use-remaining.ts";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";

/** Undoes a decline or a dismissal, and shows how long that is possible. */
export function Undo({ elicitation, catalogue }: { elicitation: BoundElicitation; catalogue: Catalogue }) {
  const left = useUndoTime(elicitation);
  const { undo } = elicitation;
  const buttonRef = useRef<HTMLElement>(null);
  const [all] = useState(left);
  // Set before the ring is painted, so that its animation lasts as long as the button can be pressed.
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
        // A Latin name before it would change the position of the number in right-to-left text.
        <bdi className="elicit-muted" role="timer">
          {catalogue.seconds(String(Math.ceil(left / 1_000)))}
        </bdi>
      ) : undefined}
    </>
  );
}

/** Asks the agent again for a declined account, once, because the tool already has its answer. */
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
      // Without direction marks, because a model reads it.
      const { request } = elicitation;
      const service = request.mode === "url" ? request.service?.name : undefined;
      askAgain(catalogue.askAgain(service), elicitation);
    },
    {},
  );
  return drawView(view, "elicit-link-button");
}
