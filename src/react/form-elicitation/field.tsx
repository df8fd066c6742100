"use client";
import { type ForwardedRef, forwardRef, type ReactNode, useId, useState, useSyncExternalStore } from "react";
import type { Field } from "../../form/index.ts";
import { useBrowserLayoutEffect } from "../use-shared.ts";
import { directionOf, isolate } from "../isolate.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { buttonView } from "../prompt/button-view.ts";
import { icon } from "../prompt/icon.tsx";
import { drawView, type PartRender } from "../view.ts";
import {
  type ControlProps,
  FieldContext,
  fieldPart,
  type FieldShared,
  type Questions,
  useField,
  useForm,
} from "./context.ts";
import { fieldShared } from "./field-shared.tsx";
import { errorText } from "../../words/cards/limit-words.ts";
import { draftText } from "./field-words.ts";
import { stateOf } from "./form-state.ts";
import { otherOf } from "../../form/own-words.ts";
import { presentField } from "../../form/present-field.ts";
import { askedBy } from "../../form/steps.ts";
import type { ControlLayout } from "../../form/pick-control.ts";

/** The question, or its free text: the first of both that has an error, or what a sentence of the user says. */
function partWith(key: "error" | "instead" | "proposed", shared: FieldShared) {
  return [shared, shared.words].find((part) => part?.state[key] !== undefined);
}

export function fieldView(shared: FieldShared): PartRender<FormElicitationField.State> {
  const { field, control, layout, half } = shared;
  return {
    tag: "div",
    state: {
      control,
      layout,
      size: half ? "half" : undefined,
      invalid: partWith("error", shared) !== undefined,
      proposed: partWith("proposed", shared) !== undefined,
    },
    props: { "data-field": field.name },
  };
}

/** What a question shares with its parts. Re-renders with every change of its answer. */
export function useFieldShared(field: Field, questions: Questions): FieldShared {
  const { subscribe, answers } = questions.form;
  const read = () => stateOf(answers(), field.name);
  const fieldState = useSyncExternalStore(subscribe, read, read);
  const readWords = () => stateOf(answers(), otherOf(field) ?? "");
  const said = useSyncExternalStore(subscribe, readWords, readWords);
  const [isReplaced, onReplaced] = useState(false);
  const built = fieldShared(field, fieldState, said, useId(), questions);
  return { ...built, isReplaced: built.isReplaced || isReplaced, onReplaced };
}

/** One question: groups its label, control, description and error. Renders a `<div>`. */
export const FormElicitationField = /* @__PURE__ */ forwardRef(function FormElicitationField(
  { field, ...props }: FormElicitationField.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const shared = useFieldShared(field, useForm("Field").questions);
  const element = usePartElement(props, ref, fieldView(shared));
  return <FieldContext.Provider value={shared}>{element}</FieldContext.Provider>;
});
export namespace FormElicitationField {
  export type Props = PartProps<"div", State> & { field: Field };
  export interface State {
    /** `data-control`: the name of its control; `custom` for a developer's own hint. */
    control: string;
    /** `data-layout`: the layout of its control, if it has more than one. */
    layout: ControlLayout | undefined;
    /** `data-size`: half a row is enough, and the neighbour also fits in half a row. */
    size: "half" | undefined;
    /** `data-invalid`: an error is shown. */
    invalid: boolean;
    /** `data-proposed`: the answer was read from a sentence of the user, and has not been changed since. */
    proposed: boolean;
  }
}

/** Controls that consist of several elements. A `<label>` can refer to only one. */
const GROUPS = /yes-no|radio|press|search|rating|checkboxes/;

export function labelView({
  field: { label, required },
  control,
  isMarked,
  isReplaced,
  id,
  questions: { catalogue, isHeading, isStepped },
}: FieldShared): PartRender<FormElicitationLabel.State> {
  const group = GROUPS.test(control) && !isReplaced;
  // As few nodes as possible, because a long form has many labels, and each node takes time to create and to lay out.
  const children = isMarked ? (
    <>
      <span>{`${label} `}</span>
      <small>{`(${catalogue.optional})`}</small>
    </>
  ) : (
    label
  );
  return {
    tag: group ? "span" : "label",
    state: { required, heading: isHeading && (group || isStepped) },
    props: {
      id: `${id}label`,
      htmlFor: group ? undefined : `${id}control`,
      dir: directionOf(label, catalogue.dir),
      children,
    },
  };
}

/**
 * The question, marked as optional in a form where most answers are required. Renders a `<label>`, or a `<span>` for
 * built-in controls that consist of several elements.
 */
export const FormElicitationLabel = /* @__PURE__ */ fieldPart<"label", FormElicitationLabel.State>(
  "Label",
  labelView,
);
export namespace FormElicitationLabel {
  export type Props = PartProps<"label", State>;
  export interface State {
    /** `data-required`: the question must be answered. */
    required: boolean;
    /** `data-heading`: the card's heading contains the question, so only assistive technology needs the label. */
    heading: boolean;
  }
}

export function limitsView({ limits, id }: FieldShared): PartRender | undefined {
  if (limits === "") return undefined;
  return { tag: "span", state: {}, props: { id: `${id}limits`, children: limits } };
}

/**
 * The limits of the answer, for a place beside the label: the range of a number, the used characters, or the number of
 * selected options. Renders a `<span>`, or nothing.
 */
export const FormElicitationLimits = /* @__PURE__ */ fieldPart<"span">("Limits", limitsView);
export namespace FormElicitationLimits {
  export type Props = PartProps<"span">;
}

export function descriptionView({
  field,
  description,
  id,
  questions: { catalogue, isHeading, isStepped },
}: FieldShared): PartRender | undefined {
  if (description === "") return undefined;
  const dir = directionOf(description, catalogue.dir);
  // The heading of the card contains it, so only assistive technology needs it here.
  const heading = isHeading && isStepped && askedBy(field).from === "description" ? "" : undefined;
  return {
    tag: "p",
    state: {},
    props: { id: `${id}description`, dir, "data-heading": heading, children: description },
  };
}

/** Help for the answer: the description, and how many options to select. Renders a `<p>`, or nothing. */
export const FormElicitationDescription = /* @__PURE__ */ fieldPart<"p">("Description", descriptionView);
export namespace FormElicitationDescription {
  export type Props = PartProps<"p">;
}

export function errorView(shared: FieldShared): PartRender<FormElicitationError.State> | undefined {
  const { id, questions } = shared;
  const { field, state } = partWith("error", shared) ?? shared;
  const { error } = state;
  if (error === undefined) return differsView(shared);
  const children = (
    <>
      {icon("alert")}
      <bdi>{errorText(error, field, questions.catalogue)}</bdi>
    </>
  );
  return { tag: "p", state: { code: error.code }, props: { id: `${id}error`, children } };
}

/** The choice between what the user had typed and what their sentence says. */
function differsView(shared: FieldShared): PartRender<FormElicitationError.State> | undefined {
  const { id, questions } = shared;
  const { field, state } = partWith("instead", shared) ?? shared;
  const { instead } = state;
  if (instead === undefined) return undefined;
  const { catalogue, settle } = questions;
  const { says, use, keep } = catalogue.proposals;
  const children = (
    <>
      {icon("question")}
      <span>{says(isolate(draftText(field, instead, catalogue)))}</span>
      {drawView(
        buttonView(use, () => settle(field.name, "use"), {}),
        "elicit-link-button",
      )}
      {drawView(
        buttonView(keep, () => settle(field.name, "keep"), {}),
        "elicit-link-button",
      )}
    </>
  );
  return { tag: "p", state: { code: "differs" }, props: { id: `${id}error`, children } };
}

/**
 * The error of the answer, or the choice between the answer and what a sentence of the user says instead. Renders a
 * `<p>`, or nothing without either.
 */
export const FormElicitationError = /* @__PURE__ */ fieldPart<"p", FormElicitationError.State>(
  "Error",
  errorView,
);
export namespace FormElicitationError {
  export type Props = PartProps<"p", State>;
  export interface State {
    /** `data-code`: the code of a `FieldError` of `elicit-kit/form`, or `differs` for the choice. */
    code: string | undefined;
  }
}

export function controlProps(shared: FieldShared, className?: string): ControlProps {
  const { field, state, words, description, limits, layout, id, questions } = shared;
  const { isSecret, recommended, input } = shared;
  const { form, leave, catalogue, isAlone } = questions;
  const error = partWith("error", shared) ?? partWith("instead", shared);
  return {
    field,
    draft: state.draft,
    onChange: (draft) => form.change(field.name, draft),
    onBlur: () => leave(field.name),
    id: `${id}control`,
    labelId: `${id}label`,
    describedBy:
      [limits && `${id}limits`, description && `${id}description`, error !== undefined && `${id}error`]
        .filter(Boolean)
        .join(" ") || undefined,
    invalid: state.error !== undefined,
    secret: isSecret,
    input,
    ownWords: words && {
      field: words.field,
      draft: words.state.draft,
      onChange: (draft) => form.change(words.field.name, draft),
      onBlur: () => leave(words.field.name),
      id: `${id}words`,
      invalid: words.state.error !== undefined,
      input: presentField(words.field, questions, "").input,
    },
    hasKeys: isAlone,
    recommended,
    layout,
    className,
    catalogue,
  };
}

/**
 * The control of a field: the built-in one that fits, or its replacement in `controls` of the root. `className` is added
 * to its outermost element. `children` renders another control for this field only.
 */
export function FormElicitationControl({ className, children }: FormElicitationControl.Props) {
  const shared = useField("Control");
  const { onReplaced } = shared;
  const isReplaced = children !== undefined;
  // The field then labels the replacement by its id, and does not group options.
  useBrowserLayoutEffect(() => onReplaced?.(isReplaced), [onReplaced, isReplaced]);
  return <>{(children ?? shared.drawControl)(controlProps(shared, className))}</>;
}
export namespace FormElicitationControl {
  export interface Props {
    /** Added to the control's outermost element. */
    className?: string | undefined;
    /** Renders another control for this field only. */
    children?: ((props: ControlProps) => ReactNode) | undefined;
  }
}
