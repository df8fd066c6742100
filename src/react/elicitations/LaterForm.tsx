"use client";
import { createElement, useEffect } from "react";
import { useSettings } from "../use-settings.ts";
import type { FormElicitationProps } from "../card-props.ts";
import { useCardHead } from "../prompt/head.tsx";
import { withIcon } from "../prompt/icon.tsx";
import { ElicitationAnnouncer } from "../prompt/live-region.tsx";
import { declineView, noticeView, receiptView, useRetryView, warningsView } from "../prompt/parts.tsx";
import { isOver } from "../prompt/status-text.ts";
import { usePromptRoot } from "../prompt/use-prompt-root.ts";
import { drawView } from "../view.ts";
import { lateForm, useLate } from "./lazy-cards.ts";

/**
 * The card for a form request: the requester, the message, the questions, the buttons, and at the end the receipt. The
 * questions are in a separate chunk. Until it has loaded, the card shows everything else. `elicit-kit/parts` has the card
 * in one piece.
 */
export function FormElicitation(props: FormElicitationProps) {
  const card = useLate(lateForm);
  useEffect(() => void lateForm.load(), []);
  return (
    <ElicitationAnnouncer>
      {typeof card === "string" ? (
        <WaitingCard key={props.elicitation.id} {...props} hasFailed={card === "failed"} />
      ) : (
        createElement(card.FormElicitation, props)
      )}
    </ElicitationAnnouncer>
  );
}

/** The card without its questions. An ended or blocked request needs none. */
function WaitingCard({ hasFailed, ...props }: FormElicitationProps & { hasFailed: boolean }) {
  const { elicitation } = props;
  const { catalogue, onAskAgain } = useSettings(props);
  const { shared, view } = usePromptRoot(elicitation, catalogue, onAskAgain);
  const { announce } = shared;
  const { status } = elicitation;
  const over = isOver(elicitation);
  const isAwaited = !over && status !== "blocked";
  const isMissing = isAwaited && hasFailed;
  useEffect(() => {
    if (isMissing) announce(catalogue.notLoaded);
  }, [isMissing, announce, catalogue]);

  const head = useCardHead(shared);
  const retry = useRetryView(shared);
  const warnings = warningsView(shared);
  const children = (
    <>
      {head}
      {warnings !== undefined && (
        <div className="elicit-trust" data-tier="danger">
          {drawView(warnings, "elicit-warnings")}
        </div>
      )}
      {drawView(noticeView(shared), "elicit-notice")}
      {isMissing && <p className="elicit-notice">{withIcon("alert", catalogue.notLoaded)}</p>}
      {!over && (
        <div className="elicit-actions">
          {isMissing && (
            <button
              className="elicit-button elicit-primary"
              type="button"
              onClick={() => void lateForm.load()}
            >
              {catalogue.tryAgain}
            </button>
          )}
          {drawView(retry, "elicit-button")}
          {drawView(declineView(shared), `elicit-button${isAwaited ? "" : " elicit-primary"}`)}
          {isAwaited && !hasFailed && <span className="elicit-muted">{catalogue.formLoading}</span>}
        </div>
      )}
      {drawView(receiptView(shared), "elicit-receipt")}
    </>
  );
  return drawView({ ...view, state: { status, over } }, "elicit-card", { children });
}
