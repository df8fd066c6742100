import { createContext, useContext } from "react";
import type { UrlInspection } from "../../client/index.ts";
import type { UrlElicitationRequest } from "../../protocol/contract.ts";
import { missing } from "../prompt/context.ts";

/** What is known of the page that a URL request leads to. */
export interface ConnectContextValue {
  request: UrlElicitationRequest;
  url: UrlInspection;
  /** The page is or was open, and its end is awaited. */
  awaited: boolean;
}

export const ConnectContext = createContext<ConnectContextValue | undefined>(undefined);

/** The URL request around `part`. Throws when there is none. */
export function useConnectPrompt(part: string): ConnectContextValue {
  const value = useContext(ConnectContext);
  if (value === undefined) throw missing(`ConnectPromptParts.${part}`, "<ConnectPromptParts.Root>");
  return value;
}
