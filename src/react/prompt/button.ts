import type { ReactNode } from "react";
import type { Drawn } from "../part.ts";

/**
 * A button that does `action`, unless it is `busy`. A busy button is told as unavailable but stays where it is and keeps
 * the focus, which a disabled one would lose.
 */
export function button<State extends object>(
  children: ReactNode,
  action: () => unknown,
  state: State & { busy?: boolean },
): Drawn<State> {
  const { busy = false } = state;
  const onClick = (): void => {
    if (!busy) void action();
  };
  return { state, props: { type: "button", "aria-disabled": busy || undefined, onClick, children } };
}
