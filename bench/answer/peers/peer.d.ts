import type { ComponentType, JSX } from "react";
import type { LogProps } from "../page.tsx";

/** The chat of another package, with the history and the log that all chats share. */
export type PeerChat = (props: {
  history: readonly (LogProps["messages"][number] & { role: string })[];
  Log: ComponentType<LogProps>;
}) => JSX.Element;
