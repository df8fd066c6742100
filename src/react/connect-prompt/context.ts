import { createContext } from "react";
import type { UrlInspection } from "../../contract/inspect-url.ts";
import type { PagePurpose, UrlElicitationRequest } from "../../contract/contract.ts";
import type { PromptShared } from "../prompt/context.ts";
import { partsOf } from "../part.ts";
import { useShared } from "../use-shared.ts";

/** What the root of a URL request shares with its parts. */
export interface ConnectShared extends PromptShared {
  request: UrlElicitationRequest;
  purpose: PagePurpose;
  url: UrlInspection;
  /** The page was opened, and the card waits for the user to finish there. */
  awaited: boolean;
  /** The server is asked whether the page is done: the user has said so. */
  isChecking: boolean;
  /** Where the link leads should be shown: its page is not open, and the user may open it. */
  showsLink: boolean;
}

export const ConnectContext = /* @__PURE__ */ createContext<ConnectShared | undefined>(undefined);

/** For parts that only URL requests have. `part`: the name behind the dot. */
function useConnect(part: string): ConnectShared {
  return useShared(ConnectContext, `ConnectPromptParts.${part}`, "ConnectPromptParts.Root");
}

export const connectPart = /* @__PURE__ */ partsOf(useConnect);
