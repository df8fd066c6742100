import type { ComponentProps } from "react";

/** Stands for `ui/input` of an app. */
export function Input(props: ComponentProps<"input">) {
  return <input data-slot="input" {...props} />;
}
