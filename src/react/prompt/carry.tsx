"use client";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useLoaded } from "../use-loaded.ts";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";
import { icon } from "./icon.tsx";
import { isOver } from "./status-text.ts";
import { waitsForOther } from "../bound-elicitation.ts";

const fetchCode = () => import("./carry-code.tsx");

/** The button that shows the answer page's address as a QR code, and the code. Both absent where there is no such page. */
export function useCarry({ elicitation, catalogue, announce }: PromptShared): {
  button: ReactNode;
  code: ReactNode;
} {
  const [isShown, setShown] = useState(false);
  // Not a ref, which React Compiler does not let through `drawView`.
  const [button, setButton] = useState<HTMLElement | null>(null);
  const [loaded, load] = useLoaded(fetchCode);
  if (elicitation.canCarry !== true || isOver(elicitation) || waitsForOther(elicitation)) {
    return { button: null, code: null };
  }
  function toggle(): void {
    load();
    setShown(!isShown);
  }
  /** Closes the code, and not the card. */
  function closeOnEscape(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    setShown(false);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    closeOnEscape(event);
    if (event.key === "Escape") button?.focus();
  }
  const { label } = catalogue.carry;
  return {
    button: drawView(
      { ...buttonView(icon("phone"), toggle, {}), ref: setButton },
      "elicit-close elicit-carry",
      {
        "aria-label": label,
        "aria-expanded": isShown,
        title: label,
        onKeyDown: isShown ? closeOnEscape : undefined,
      },
    ),
    code: isShown && (
      // A key that was pressed on one of its controls.
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
      <div className="elicit-code" onKeyDown={onKeyDown}>
        {typeof loaded === "object" ? (
          <loaded.CarryCode elicitation={elicitation} catalogue={catalogue} announce={announce} />
        ) : (
          <p>{loaded === "failed" ? catalogue.didNotWork : catalogue.carry.text}</p>
        )}
      </div>
    ),
  };
}
