import { type MouseEvent, type ReactNode, useState } from "react";
import type { PartRender } from "../view.ts";
import type { PromptShared } from "./context.ts";
import { withIcon } from "./icon.tsx";

/**
 * A button that runs `action`, unless it is `busy`. A busy button has `aria-disabled` and keeps the focus, which a
 * disabled button would lose.
 */
export function buttonView<State extends object>(
  children: ReactNode,
  action: () => unknown,
  state: State & { busy?: boolean },
): PartRender<State> {
  const { busy = false } = state;
  const onClick = (event: MouseEvent): void => {
    if (!busy && !isRepeated(event)) void action();
  };
  return {
    tag: "button",
    state,
    props: { type: "button", "aria-disabled": busy || undefined, onClick, children },
  };
}

/** Whether this is the second click of a double-click, which may hit another button. */
export function isRepeated({ detail }: Pick<MouseEvent, "detail">): boolean {
  return detail > 1;
}

/** The button that copies a link. Its label stays after a failure, and the live region tells of it. */
export function useCopyView(
  { catalogue, announce }: Pick<PromptShared, "catalogue" | "announce">,
  href: string,
): PartRender<{ copied: boolean }> {
  const [sign, setSign] = useState<"alert" | "check" | "copy">("copy");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(href);
      setSign("check");
      announce(catalogue.linkCopied);
    } catch {
      // The clipboard is not allowed here (an iframe, plain http). The link can still be selected or opened.
      setSign("alert");
      announce(catalogue.didNotWork);
    }
  }
  const copied = sign === "check";
  return buttonView(withIcon(sign, catalogue[copied ? "linkCopied" : "copyLink"]), copy, { copied });
}
