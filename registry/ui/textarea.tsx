import type { ComponentProps } from "react";

/** Replaces the app's `ui/textarea`. */
export function Textarea(props: ComponentProps<"textarea">) {
  return <textarea data-slot="textarea" {...props} />;
}
