/**
 * Props of a button that does `action`, unless it is `busy`. A busy button is told as unavailable but stays where it is
 * and keeps the focus, which a disabled one would lose.
 */
export function buttonProps(busy: boolean, action: () => unknown): Readonly<Record<string, unknown>> {
  return {
    type: "button",
    "aria-disabled": busy || undefined,
    onClick: () => {
      if (!busy) void action();
    },
  };
}
