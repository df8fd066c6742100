"use client";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import type { encode as Encode } from "uqr";
import { drawView } from "../view.ts";
import { buttonView } from "./button-view.ts";
import type { PromptShared } from "./context.ts";
import { CarryCode } from "./carry-code.tsx";
import { icon } from "./icon.tsx";
import { isOver } from "./status-text.ts";
import { waitsForOther } from "../bound-elicitation.ts";

// Outside the hook, because React Compiler skips hooks that contain `import()`.
const loadCode = () => import("uqr");

/** The button that shows the answer page's address as a QR code, and the code. Both absent where there is no such page. */
export function useCarry({ elicitation, catalogue, announce }: PromptShared): {
  button: ReactNode;
  code: ReactNode;
} {
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [encode, setEncode] = useState<typeof Encode>();
  const [hasFailed, setFailed] = useState(false);
  if (elicitation.canCarry !== true || isOver(elicitation) || waitsForOther(elicitation)) {
    return { button: null, code: null };
  }
  function toggle(): void {
    setFailed(false);
    if (encode === undefined) {
      void loadCode().then(
        (code) => setEncode(() => code.encode),
        () => setFailed(true),
      );
    }
    setShown(!isShown);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== "Escape") return;
    // Closes the code, and not the card.
    event.preventDefault();
    setShown(false);
    button.current?.focus();
  }
  const { label } = catalogue.carry;
  const view = { ...buttonView(icon("phone"), toggle, {}), ref: button };
  return {
    button: drawView(view, "elicit-close elicit-carry", {
      "aria-label": label,
      "aria-expanded": isShown,
      title: label,
      onKeyDown: isShown ? onKeyDown : undefined,
    }),
    code: isShown && (
      // A key that was pressed on one of its controls.
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
      <div className="elicit-code" onKeyDown={onKeyDown}>
        {encode === undefined ? (
          <p>{hasFailed ? catalogue.didNotWork : catalogue.carry.text}</p>
        ) : (
          <CarryCode elicitation={elicitation} catalogue={catalogue} announce={announce} encode={encode} />
        )}
      </div>
    ),
  };
}
