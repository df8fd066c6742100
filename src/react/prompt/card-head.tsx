"use client";
import type { ReactElement } from "react";
import { startsRightToLeft } from "../isolate.ts";
import { drawView } from "../view.ts";
import { claimView } from "./claim/PromptClaim.tsx";
import type { PromptShared } from "./context.ts";
import { dismissView } from "./dismiss/PromptDismiss.tsx";
import { icon } from "./icon.tsx";
import { messageView } from "./message/PromptMessage.tsx";
import { requesterView } from "./requester/PromptRequester.tsx";
import { isOver } from "./status-text.ts";
import { useTileView } from "./tile/PromptTile.tsx";
import { titleView } from "./title/PromptTitle.tsx";

/**
 * The head of a card: what is asked, by whom and why. `lead` replaces who and why. Of an ended request only the heading is
 * left, for assistive technology.
 */
export function useCardHead(shared: PromptShared, lead?: string): ReactElement {
  const { elicitation, catalogue, messageId } = shared;
  const tile = useTileView(shared);
  const title = drawView(titleView(shared), "elicit-title");
  if (isOver(elicitation)) return <div className="elicit-head">{title}</div>;
  const view = messageView(shared);
  const message = drawView(view, "elicit-message");
  const isBlock = view.state.block;
  // Between two reading directions a dot would stand at the wrong end of the sentence.
  const isForeign = startsRightToLeft(elicitation.request.message) !== (catalogue.dir === "rtl");
  const separator = isForeign ? <br /> : " · ";
  const requester = drawView(requesterView(shared), "elicit-by");
  return (
    <>
      <div className="elicit-head">
        {drawView(tile, "elicit-tile")}
        {title}
        {drawView(dismissView(shared), "elicit-close", {
          "aria-label": lead === undefined ? catalogue.dismiss : catalogue.cancel,
          children: icon("close"),
        })}
        <div className="elicit-lead">
          {lead === undefined ? (
            <>
              {requester}
              {requester && !isBlock && separator}
              {!isBlock && message}
            </>
          ) : (
            <p id={messageId}>{lead}</p>
          )}
        </div>
      </div>
      {lead === undefined && isBlock && message}
      {lead === undefined && drawView(claimView(shared), "elicit-claim")}
    </>
  );
}
