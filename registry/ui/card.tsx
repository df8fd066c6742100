import type { ComponentProps } from "react";

/** These parts stand in for the app's `ui/card`. */
function part(slot: string) {
  return function Part(props: ComponentProps<"div">) {
    return <div data-slot={slot} {...props} />;
  };
}

export const Card = part("card");
export const CardHeader = part("card-header");
export const CardTitle = part("card-title");
export const CardDescription = part("card-description");
export const CardAction = part("card-action");
export const CardContent = part("card-content");
export const CardFooter = part("card-footer");
