import { createContext } from "react";
import type { UrlInspection } from "../../contract/inspect-url.ts";
import type { PagePurpose, UrlElicitationRequest } from "../../contract/contract.ts";
import type { PromptShared } from "../prompt/context.ts";
import { partsOf } from "../part.ts";
import { useShared } from "../use-shared.ts";

/** The values that the root of a URL request shares with its parts. */
export interface ConnectShared extends PromptShared {
  request: UrlElicitationRequest;
  purpose: PagePurpose;
  url: UrlInspection;
  /** Whether the page was opened, so that the card waits for the user to finish there. */
  awaited: boolean;
  /** Whether the server is being asked if the page is complete, after the user said so. */
  isChecking: boolean;
  /** Whether the link should be shown: its page is not open, and the user may open it. */
  showsLink: boolean;
}

export const ConnectContext = /* @__PURE__ */ createContext<ConnectShared | undefined>(undefined);

/** For parts that only URL requests have. `part` is the name after the dot. */
function useConnect(part: string): ConnectShared {
  return useShared(ConnectContext, `ConnectPromptParts.${part}`, "ConnectPromptParts.Root");
}

export const connectPart = /* @__PURE__ */ partsOf(useConnect);
