"use client";
import { memo } from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { en } from "../catalogues/en.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import * as Parts from "./index.parts.ts";

export interface ConnectPromptProps {
  elicitation: BoundElicitation;
  /** @default English */
  catalogue?: Catalogue | undefined;
}

/** A URL request as a card: who asks for what, where the link leads, yes, no, not now, and in the end the receipt. */
export const ConnectPrompt = memo(function ConnectPrompt({
  elicitation,
  catalogue = en,
}: ConnectPromptProps) {
  return (
    <Parts.Root className="elicit-card" elicitation={elicitation} catalogue={catalogue}>
      <Parts.Title className="elicit-title" />
      <Parts.Dismiss className="elicit-close" aria-label={catalogue.dismiss}>
        ×
      </Parts.Dismiss>
      <Parts.Requester className="elicit-muted" />
      <Parts.Message className="elicit-message" />
      <Parts.Url className="elicit-url" />
      <Parts.CopyLink className="elicit-link-button" />
      <Parts.Warnings className="elicit-warnings" />
      <Parts.Waiting className="elicit-waiting" />
      <Parts.Notice className="elicit-notice" />
      <Parts.Fallback className="elicit-actions" />
      <div className="elicit-actions">
        <Parts.Finished className="elicit-button elicit-primary" />
        <Parts.Connect className="elicit-button elicit-primary" />
        <Parts.Retry className="elicit-button elicit-primary" />
        {/* Once the page is open the question is no longer whether, but whether to go on waiting. */}
        {elicitation.window === undefined ? (
          <Parts.Decline className="elicit-button" />
        ) : (
          <Parts.Dismiss className="elicit-button" />
        )}
        <Parts.Remaining className="elicit-muted" />
      </div>
      <Parts.Receipt className="elicit-receipt" />
    </Parts.Root>
  );
});
