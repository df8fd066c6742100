import type { ComponentProps } from "react";

/** Stands for `ui/checkbox` of an app: of Radix a `<button>`, of Base UI a `<span>`. */
export function Checkbox({
  onCheckedChange,
  ...props
}: Omit<ComponentProps<"input">, "type"> & {
  onCheckedChange: (checked: boolean | "indeterminate") => void;
}) {
  return (
    <input
      data-slot="checkbox"
      type="checkbox"
      onChange={(event) => onCheckedChange(event.currentTarget.checked)}
      {...props}
    />
  );
}
