"use client";
import { memo } from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import { en } from "../catalogues/en.ts";
import { declineView } from "../prompt/decline/PromptDecline.tsx";
import { dismissView } from "../prompt/dismiss/PromptDismiss.tsx";
import { messageView } from "../prompt/message/PromptMessage.tsx";
import { noticeView } from "../prompt/notice/PromptNotice.tsx";
import { receiptView } from "../prompt/receipt/PromptReceipt.tsx";
import { useRemainingView } from "../prompt/remaining/PromptRemaining.tsx";
import { requesterView } from "../prompt/requester/PromptRequester.tsx";
import { useRetryView } from "../prompt/retry/PromptRetry.tsx";
import { titleView } from "../prompt/title/PromptTitle.tsx";
import { warningsView } from "../prompt/warnings/PromptWarnings.tsx";
import { drawView } from "../view.ts";
import { connectView } from "./connect/ConnectPromptConnect.tsx";
import { useCopyLinkView } from "./copy-link/ConnectPromptCopyLink.tsx";
import { fallbackView } from "./fallback/ConnectPromptFallback.tsx";
import { finishedView } from "./finished/ConnectPromptFinished.tsx";
import { urlView } from "./url/ConnectPromptUrl.tsx";
import { useConnectRoot } from "./use-connect-root.ts";
import { waitingView } from "./waiting/ConnectPromptWaiting.tsx";

export interface ConnectPromptProps {
  elicitation: BoundElicitation;
  /** @default English */
  catalogue?: Catalogue | undefined;
}

/** A URL request as a card: who asks for what, where the link leads, the buttons, and at the end the receipt. */
export const ConnectPrompt = /* @__PURE__ */ memo(function ConnectPrompt(props: ConnectPromptProps) {
  return <ConnectCard key={props.elicitation.id} {...props} />;
});

/** Draws the views of the parts in place: one component instead of twenty. */
function ConnectCard({ elicitation, catalogue = en }: ConnectPromptProps) {
  const { shared, view, region } = useConnectRoot({ elicitation, catalogue });
  const copyLink = useCopyLinkView(shared);
  const retry = useRetryView(shared);
  const remaining = useRemainingView(shared);
  const content = (
    <>
      {drawView(titleView(shared), "elicit-title")}
      {drawView(dismissView(shared), "elicit-close", { "aria-label": catalogue.dismiss, children: "×" })}
      {drawView(requesterView(shared), "elicit-muted")}
      {drawView(messageView(shared), "elicit-message")}
      {drawView(urlView(shared), "elicit-url")}
      {drawView(copyLink, "elicit-link-button")}
      {drawView(warningsView(shared), "elicit-warnings")}
      {drawView(waitingView(shared), "elicit-waiting")}
      {drawView(noticeView(shared), "elicit-notice")}
      {drawView(fallbackView(shared), "elicit-actions")}
      <div className="elicit-actions">
        {drawView(finishedView(shared), "elicit-button elicit-primary")}
        {drawView(connectView(shared), "elicit-button elicit-primary")}
        {drawView(retry, "elicit-button elicit-primary")}
        {/* While the page is open the person can stop waiting; declining is for before. */}
        {elicitation.window === undefined && drawView(declineView(shared), "elicit-button")}
        {elicitation.window !== undefined && drawView(dismissView(shared), "elicit-button")}
        {drawView(remaining, "elicit-muted")}
      </div>
      {drawView(receiptView(shared), "elicit-receipt")}
      {region}
    </>
  );
  return drawView(view, "elicit-card", { children: content });
}
