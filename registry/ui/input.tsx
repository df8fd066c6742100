import type { ComponentProps } from "react";

/** Replaces the app's `ui/input`. */
export function Input(props: ComponentProps<"input">) {
  return <input data-slot="input" {...props} />;
}
