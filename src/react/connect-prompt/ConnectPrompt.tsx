"use client";
import { memo } from "react";
import type { ConnectPromptProps } from "../card-props.ts";
import { useCardHead } from "../prompt/head.tsx";
import { icon } from "../prompt/icon.tsx";
import { useMoreTimeView } from "../prompt/more-time.tsx";
import {
  declineView,
  dismissView,
  noticeView,
  receiptView,
  useRemainingView,
  useRetryView,
  warningsView,
} from "../prompt/parts.tsx";
import { isOver } from "../prompt/status-text.ts";
import { useRemaining } from "../use-remaining.ts";
import { drawView } from "../view.ts";
import { useConsentView } from "./consent.tsx";
import { connectView, fallbackView, finishedView, urlView, useCopyLinkView, waitingView } from "./parts.tsx";
import { useConnectRoot } from "./root.tsx";

/** The card for a URL request: the requester, the message, the link, the buttons, and at the end the receipt. */
export const ConnectPrompt = /* @__PURE__ */ memo(function ConnectPrompt(props: ConnectPromptProps) {
  return <ConnectCard key={props.elicitation.id} {...props} />;
});

/** Renders the views of the parts inline: one component instead of twenty. */
function ConnectCard(props: ConnectPromptProps) {
  const { elicitation } = props;
  const { shared, view, region } = useConnectRoot(props);
  const { catalogue } = shared;
  const { status, window, notice } = elicitation;
  const retry = useRetryView(shared);
  const isBlocked = window === "blocked";
  const hasFailed = notice?.code === "provider-error";
  // The layout does not change while "I've finished" is checked.
  const isOpened = (status === "opened" || shared.isChecking) && (isBlocked || !hasFailed);
  const isUnfinished = isOpened && !isBlocked && notice?.code === "not-completed";
  const isStuck = isOpened && !isBlocked && notice !== undefined && !isUnfinished;
  const showsLink = shared.showsLink && retry === undefined;
  const isDanger = showsLink && !isBlocked && shared.url.tier === "danger";

  const consent = useConsentView(shared);
  const head = useCardHead(shared, isOpened && window ? catalogue.waiting[window] : undefined);
  const copyLink = drawView(useCopyLinkView(shared), "elicit-copy");
  const left = useRemaining(elicitation);
  const remaining = drawView(useRemainingView(shared, left), "elicit-muted");
  const moreTime = drawView(useMoreTimeView(shared, left), `${buttonClass("quiet")} elicit-more-time`);
  const isSending = status === "submitting" && !shared.isChecking;
  const isWaiting = isSending || !(isStuck || hasFailed || isBlocked);
  const waiting = isWaiting && drawView(waitingView(shared), "elicit-waiting");
  const isWaitFirst = window !== undefined && !isBlocked;

  // There is one primary button: the next step. For a dangerous link it is Decline.
  const leadsOn = isStuck || (showsLink && !isDanger);
  const connect =
    retry === undefined && !isBlocked ? connectView(shared, leadsOn && icon("open")) : undefined;
  const mayDecline = window === undefined || (status === "opened" && !isOpened);
  const decline = mayDecline && drawView(declineView(shared), buttonClass(isDanger && "primary"));
  const actions = (
    <div className="elicit-actions">
      {drawView(retry, buttonClass("primary"))}
      {isWaitFirst && waiting}
      {drawView(fallbackView(shared), "elicit-fallback")}
      {isDanger && decline}
      {drawView(connect, buttonClass(leadsOn ? "primary" : isDanger && "quiet"))}
      {!isDanger && decline}
      {retry === undefined && drawView(finishedView(shared), buttonClass(!isStuck && "quiet"))}
      {(isStuck || (retry !== undefined && !mayDecline)) &&
        drawView(dismissView(shared), buttonClass("quiet"))}
      {!isWaitFirst && waiting}
      {remaining}
      {moreTime}
    </div>
  );
  const content = (
    <>
      {head}
      {!isUnfinished && drawView(noticeView(shared), "elicit-notice")}
      {showsLink && (
        <div className="elicit-trust" data-tier={shared.url.tier}>
          {drawView(warningsView(shared), "elicit-warnings")}
          {drawView(urlView(shared, copyLink), "elicit-url")}
        </div>
      )}
      {!isOver(elicitation) && actions}
      {drawView(consent, "elicit-sent") ?? drawView(receiptView(shared), "elicit-receipt")}
      {region}
    </>
  );
  return drawView(view, "elicit-card", { children: content });
}

function buttonClass(weight: "primary" | "quiet" | false): string {
  return `elicit-button${weight ? ` elicit-${weight}` : ""}`;
}
