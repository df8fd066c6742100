import { createContext } from "react";
import type { UrlInspection } from "../../client/index.ts";
import type { UrlElicitationRequest } from "../../protocol/contract.ts";
import { createPartFactory } from "../create-part.ts";
import type { PromptContextValue } from "../prompt/context.ts";

/** What the root of a URL request shares with its parts. */
export interface ConnectContextValue extends PromptContextValue {
  request: UrlElicitationRequest;
  url: UrlInspection;
  /** The page is or was open, and its end is awaited. */
  awaited: boolean;
}

export const ConnectContext = createContext<ConnectContextValue | undefined>(undefined);

/** For parts that only URL requests have. */
export const connectPart = createPartFactory(ConnectContext, "<ConnectPromptParts.Root>");
