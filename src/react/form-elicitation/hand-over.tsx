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
  /** `data-busy`: the action is running. */
  busy: boolean;
}

export function waitsForView({ elicitation, catalogue }: FormShared): PartRender | undefined {
  if (!waitsForOther(elicitation)) return undefined;
  const name = isolate(elicitation.request.assignee?.name ?? "");
  const children = (
    <>
      {icon("clock")}
      <span>{catalogue.others.waitsFor(name)}</span>
    </>
  );
  return { tag: "span", state: {}, props: { children } };
}

/**
 * Says which user or group the form waits for, in place of its questions. Renders a `<span>`, or nothing if this user
 * decides.
 */
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
 * Sends the assignee another notice. `Notice` shows the result. Renders a `<button>`, or nothing if the assignee gets
 * no notices.
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

/** Takes the form back from its assignee. Renders a `<button>`, or nothing if that is not allowed. */
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
 * Opens the list of `GiveTo`, and closes it. Renders a `<button>`, or nothing if this user's own agent asks, or if the
 * form cannot be passed on.
 */
export const FormElicitationGiveOn = /* @__PURE__ */ formPart<"button", FormElicitationGiveOn.State>(
  "GiveOn",
  giveOnView,
);
export namespace FormElicitationGiveOn {
  export type Props = PartProps<"button", State>;
  export interface State extends Busy {
    /** `data-open`: the list is open, and the button closes it. */
    open: boolean;
  }
}

export function giveToView(): PartRender {
  // The list takes the focus when it opens.
  return { tag: "div", state: {}, props: { "data-give-to": "" } };
}

/**
 * The users and groups to which the form can be passed on: groups its `Label`, `Control` and `Error`. While it is open,
 * `Submit` passes the form on to the selected one, and `Decline` renders nothing. Renders a `<div>`, or nothing while
 * it is closed.
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
