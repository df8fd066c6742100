import type { ComponentType, JSX } from "react";
import type { LogProps } from "../page.tsx";

/** A chat of a peer, with the history and the log that all share. */
export type PeerChat = (props: {
  history: readonly (LogProps["messages"][number] & { role: string })[];
  Log: ComponentType<LogProps>;
}) => JSX.Element;
