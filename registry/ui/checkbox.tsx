import type { ComponentProps } from "react";

/** Replaces the app's `ui/checkbox`: a `<button>` with Radix, a `<span>` with Base UI. */
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
