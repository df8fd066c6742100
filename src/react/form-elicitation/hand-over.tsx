"use client";
import { type ForwardedRef, forwardRef } from "react";
import { waitsForOther } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { buttonView } from "../prompt/button-view.ts";
import { icon } from "../prompt/icon.tsx";
import type { PartRender } from "../view.ts";
import { FieldContext, formPart, type FormShared, type GiveOn, useForm } from "./context.ts";
import { useFieldShared } from "./field.tsx";

interface Busy {
  /** `data-busy`: it is being done. */
  busy: boolean;
}

export function waitsForView({ elicitation, catalogue }: FormShared): PartRender | undefined {
  if (!waitsForOther(elicitation)) return undefined;
  const name = isolate(elicitation.request.assignee?.name ?? "");
  const children = (
    <>
      {icon("clock")}
      {catalogue.others.waitsFor(name)}
    </>
  );
  return { tag: "span", state: {}, props: { children } };
}

/** For whom the form waits, in place of its questions. Renders a `<span>`, or nothing where this user decides. */
export const FormElicitationWaitsFor = /* @__PURE__ */ formPart<"span">("WaitsFor", waitsForView);
export namespace FormElicitationWaitsFor {
  export type Props = PartProps<"span">;
}

export function remindView({ elicitation, catalogue, handOver }: FormShared): PartRender<Busy> | undefined {
  const { busy, remind } = handOver;
  if (!waitsForOther(elicitation) || elicitation.request.assignee?.remind !== true) return undefined;
  return buttonView(catalogue.others.remind, remind, { busy });
}

/**
 * Sends the notice again to whom the form waits for; `Notice` says what became of it. Renders a `<button>`, or nothing where
 * nobody gets notices.
 */
export const FormElicitationRemind = /* @__PURE__ */ formPart<"button", FormElicitationRemind.State>(
  "Remind",
  remindView,
);
export namespace FormElicitationRemind {
  export type Props = PartProps<"button", State>;
  export type State = Busy;
}

export function takeBackView({ elicitation, catalogue, handOver }: FormShared): PartRender<Busy> | undefined {
  const { busy, takeBack } = handOver;
  if (!waitsForOther(elicitation) || elicitation.request.assignee?.takeBack !== true) return undefined;
  return buttonView(catalogue.others.takeBack, takeBack, { busy });
}

/** Lets the user decide themself what waits for somebody else. Renders a `<button>`, or nothing where that is not allowed. */
export const FormElicitationTakeBack = /* @__PURE__ */ formPart<"button", FormElicitationTakeBack.State>(
  "TakeBack",
  takeBackView,
);
export namespace FormElicitationTakeBack {
  export type Props = PartProps<"button", State>;
  export type State = Busy;
}

export function giveOnView({
  catalogue,
  handOver: { giveOn, busy },
  note,
}: FormShared): PartRender<FormElicitationGiveOn.State> | undefined {
  if (giveOn === undefined || note?.isOpen === true) return undefined;
  const { isOpen: open, toggle } = giveOn;
  return buttonView(open ? catalogue.back : catalogue.others.giveOn, toggle, { open, busy });
}

/**
 * Opens the list of `GiveTo`, and leads back from it. Renders a `<button>`, or nothing where the user decides for themself, or
 * may give the form to nobody.
 */
export const FormElicitationGiveOn = /* @__PURE__ */ formPart<"button", FormElicitationGiveOn.State>(
  "GiveOn",
  giveOnView,
);
export namespace FormElicitationGiveOn {
  export type Props = PartProps<"button", State>;
  export interface State extends Busy {
    /** `data-open`: the list is open, and it leads back. */
    open: boolean;
  }
}

export function giveToView(): PartRender {
  // The focus goes there.
  return { tag: "div", state: {}, props: { "data-give-to": "" } };
}

/**
 * The list of those to whom the form can be given: groups its `Label`, `Control` and `Error`. While it is open, `Submit` gives
 * the form to the one that was chosen, and `Decline` renders nothing. Renders a `<div>`, or nothing while it is closed.
 */
export const FormElicitationGiveTo = /* @__PURE__ */ forwardRef(function FormElicitationGiveTo(
  props: FormElicitationGiveTo.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { giveOn } = useForm("GiveTo").handOver;
  if (giveOn?.isOpen !== true) return null;
  return <OpenGiveTo field={giveOn.field} questions={giveOn.questions} given={props} givenRef={ref} />;
});
export namespace FormElicitationGiveTo {
  export type Props = PartProps<"div">;
}

interface OpenGiveToProps extends Pick<Extract<GiveOn, { isOpen: true }>, "field" | "questions"> {
  given: FormElicitationGiveTo.Props;
  givenRef: ForwardedRef<HTMLDivElement>;
}

function OpenGiveTo({ field, questions, given, givenRef }: OpenGiveToProps) {
  const shared = useFieldShared(field, questions);
  const element = usePartElement(given, givenRef, giveToView());
  return <FieldContext.Provider value={shared}>{element}</FieldContext.Provider>;
}
