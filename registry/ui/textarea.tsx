import type { ComponentProps } from "react";

/** Stands for `ui/textarea` of an app. */
export function Textarea(props: ComponentProps<"textarea">) {
  return <textarea data-slot="textarea" {...props} />;
}
