"use client";
import { useContext, useEffect, useId, useState } from "react";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { isolate } from "../isolate.ts";
import { buttonView } from "../prompt/button-view.ts";
import { icon } from "../prompt/icon.tsx";
import { AnnounceContext } from "../prompt/live-region.tsx";
import { titleText } from "../prompt/status-text.ts";
import { drawView } from "../view.ts";

/** A form that another user decides. It names that user, and may let this user take it back. */
export function AssignedCard({
  elicitation,
  catalogue,
}: {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
}) {
  const { id, request, takeBack } = elicitation;
  const { assignee, requester } = request;
  const [state, setState] = useState<"waits" | "busy" | "failed">("waits");
  const title = titleText(elicitation, catalogue);
  const titleId = useId();
  const words = catalogue.others;
  const waits = words.waitsFor(isolate(assignee?.name ?? ""));
  const announce = useContext(AnnounceContext);
  useEffect(() => announce?.(`${title}. ${waits}`), [announce, title, waits]);

  async function take(): Promise<void> {
    if (state === "busy") return;
    setState("busy");
    // If this worked, the form replaces this card.
    if (!(await takeBack())) setState("failed");
  }
  const button = buttonView(words.takeBack, () => void take(), { busy: state === "busy" });
  const children = (
    <>
      <div className="elicit-head">
        <span className="elicit-tile" aria-hidden="true">
          {icon("people")}
        </span>
        <h3 className="elicit-title" id={titleId}>
          <bdi>{title}</bdi>
        </h3>
        {requester !== undefined && <div className="elicit-lead">{isolate(requester.name)}</div>}
      </div>
      {state === "failed" && <div className="elicit-notice">{catalogue.notices["server-error"]}</div>}
      <div className="elicit-actions">
        <span className="elicit-assigned">
          {icon("clock")}
          {waits}
        </span>
        {assignee?.takeBack === true && drawView(button, "elicit-button elicit-quiet")}
      </div>
    </>
  );
  const props = {
    role: "group",
    "aria-labelledby": titleId,
    "data-elicitation": id,
    lang: catalogue.locale,
    dir: catalogue.dir,
    children,
  };
  return drawView({ tag: "div", state: {}, props }, "elicit-card");
}
