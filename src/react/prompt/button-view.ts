import type { MouseEvent, ReactNode } from "react";
import type { PartRender } from "../view.ts";

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
