import type { ReactNode } from "react";
import type { CardSettings } from "../card-props.ts";
import type { UseElicitationListOptions } from "../use-elicitation-list.ts";

export type ElicitationsProps = UseElicitationListOptions &
  CardSettings & {
    /**
     * How a hidden page shows that requests wait. `title`: its title begins with their number, as in `(1) Chat`.
     * `notification`: also a system notification, without the text of the question. The app must request the permission
     * for it.
     * @default "title"
     */
    attention?: "title" | "notification" | "off" | undefined;
    /**
     * Where the requests appear. `list`: all requests, one below the other. `composer`: the open ones, one at a time,
     * instead of the composer, which is then the child. `log`: the parts for the conversation, which are receipts and a
     * line for each request at the composer.
     * @default "list"
     */
    placement?: "list" | "composer" | "log" | undefined;
    /** With `placement="composer"`: your composer. It keeps its draft while a question replaces it. */
    children?: ReactNode;
  };
