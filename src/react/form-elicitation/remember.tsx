"use client";
import { type PartProps } from "../part.ts";
import { isolate } from "../isolate.ts";
import { waitsForOther } from "../bound-elicitation.ts";
import { isOver } from "../prompt/status-text.ts";
import type { PartRender } from "../view.ts";
import { formPart, type FormShared } from "./context.ts";

export function rememberView({
  elicitation,
  catalogue,
  messageId,
  refused,
  folded,
  steps,
  remembers,
  setRemembers,
}: FormShared): PartRender | undefined {
  const { canRemember, request, status } = elicitation;
  const offer = request.mode === "form" ? request.remember : undefined;
  if (canRemember !== true || offer === undefined || refused || folded || waitsForOther(elicitation))
    return undefined;
  if (isOver(elicitation) || status === "blocked" || steps?.isReview === false) return undefined;
  const { offered, same, ofKind } = catalogue.remember;
  const { allow, allowHint } = catalogue.approval;
  const isOfTool = offer.scope !== undefined;
  const hintId = `${messageId}remember`;
  const children = (
    <>
      <label>
        <input
          type="checkbox"
          checked={remembers}
          aria-describedby={hintId}
          onChange={(event) => setRemembers(event.currentTarget.checked)}
        />
        <span>{isOfTool ? allow : offered(offer.days)}</span>
      </label>
      <small id={hintId}>
        {isOfTool ? allowHint : offer.kind === undefined ? same : ofKind(isolate(offer.kind))}
      </small>
    </>
  );
  return { tag: "div", state: {}, props: { children } };
}

/** A checkbox that lets the user have this answer remembered, if the tool allows it. Renders a `<div>`, or nothing. */
export const FormElicitationRemember = /* @__PURE__ */ formPart<"div">("Remember", rememberView);
export namespace FormElicitationRemember {
  export type Props = PartProps<"div">;
}
