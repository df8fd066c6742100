import type { ComponentProps } from "react";

/** Replaces the app's `ui/button`, so that the cards can be compiled and tested here. */
export function Button({
  variant,
  size,
  ...props
}: ComponentProps<"button"> & {
  variant?: "default" | "outline" | "ghost";
  size?: "default" | "sm" | "icon";
}) {
  return <button data-slot="button" data-variant={variant} data-size={size} {...props} />;
}
