"use client";
import {
  type FormEvent,
  type ForwardedRef,
  forwardRef,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ElicitationStatus } from "../../client/elicitation.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { formHeadingOf } from "../../words/cards/form-heading.ts";
import { type BoundElicitation, waitsForOther } from "../bound-elicitation.ts";
import type { CardSettings } from "../card-props.ts";
import { useSettings } from "../use-settings.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { PromptContext } from "../prompt/context.ts";
import { isOver } from "../prompt/status-text.ts";
import { usePromptRoot } from "../prompt/use-prompt-root.ts";
import type { PartRender } from "../view.ts";
import { type Controls, FormContext, type FormShared } from "./context.ts";
import { useHandOver } from "./use-hand-over.ts";
import { useDeclineNote } from "./decline-note.tsx";
import { chooseControls } from "./field-shared.tsx";
import { holdsTyping } from "./form-state.ts";
import { openForm } from "./open-form.ts";
import { labelEnter, onCardKey } from "./card-keys.ts";
import { isStepped as isAskedInSteps, namesOf } from "../../form/steps.ts";
import { TABBED, useSteps } from "./steps.ts";
import { useProposal } from "./use-proposal.ts";
import { takeAutofill, takesAutofill } from "./take-autofill.ts";
import { useAfterPress } from "./use-after-press.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";

const NO_CONTROLS: Controls = {};

export interface FormRootOptions extends Pick<CardSettings, "catalogue" | "secrets" | "onAskAgain"> {
  /** One of `elicitations` of `useElicitationList`, in mode `form`. */
  elicitation: BoundElicitation;
  /** Replaces controls by name, and adds controls for your own hints. Define the object outside of the component. */
  controls?: Controls | undefined;
}

export interface FormRoot {
  shared: FormShared;
  /** The root's element, without children. */
  view: PartRender<FormElicitationRoot.State>;
  /** Wraps the root's children in the `<form>`. */
  readonly inForm: (children: ReactNode) => ReactElement;
  /** The confirmation before user input is discarded, after a dismissal. Render it inside the root's element. */
  question: ReactElement | null;
}

/**
 * Questions, input, submit, focus, Escape and announcements of a form, for the card and for `FormElicitationParts.Root`.
 */
export function useFormRoot({
  elicitation,
  catalogue,
  secrets,
  controls = NO_CONTROLS,
  onAskAgain,
  hasSteps = false,
}: FormRootOptions & {
  catalogue: Catalogue;
  /** Longer forms ask one question at a time. */
  hasSteps?: boolean;
}): FormRoot {
  const { request, status, fieldErrors, accept } = elicitation;
  if (request.mode !== "form") {
    throw new Error("elicit-kit: <FormElicitation> takes forms. Use <ConnectPrompt> for a URL.");
  }
  const [open] = useState(() => openForm(elicitation));
  const { fields, shown, form, secretFields, context } = open;
  const waits = waitsForOther(elicitation);
  const isStepped = hasSteps && !waits && isAskedInSteps(shown, context, secretFields);
  const noteRef = useRef<HTMLInputElement>(null);
  const wouldLose = useCallback(
    (root: HTMLElement | null) =>
      holdsTyping(fields, form.answers()) ||
      unreadableFields(root).length > 0 ||
      Boolean(noteRef.current?.value.trim()),
    [fields, form],
  );
  const {
    shared: prompt,
    rootRef,
    view,
    region,
    question,
  } = usePromptRoot(elicitation, catalogue, onAskAgain, wouldLose, onCardKey);
  const { announce } = prompt;
  const steps = useSteps({ open, shown, isOn: isStepped, catalogue, rootRef, announce });
  const goToStep = steps?.goTo;

  const afterPress = useAfterPress(rootRef);
  const leave = useCallback((name: string) => afterPress(() => form.blur(name)), [afterPress, form]);

  const focusField = useCallback(
    (name: string | undefined) => {
      const step = name === undefined ? -1 : shown.findIndex((field) => namesOf(field).includes(name));
      if (goToStep !== undefined && step !== -1) return goToStep(step);
      const quoted = CSS.escape(name ?? "");
      const place = rootRef.current?.querySelector(
        name === undefined ? "[data-confirm]" : `[data-field="${quoted}"], [data-own-words="${quoted}"]`,
      );
      place?.querySelector<HTMLElement>(TABBED)?.focus();
    },
    [rootRef, shown, goToStep],
  );

  const settle = useCallback(
    (name: string, choice: "use" | "keep") => {
      form.settle(name, choice);
      focusField(name);
    },
    [form, focusField],
  );

  useEffect(() => {
    const first = fieldErrors && form.refuse(fieldErrors);
    if (first !== undefined) focusField(first);
  }, [fieldErrors, form, focusField]);

  const filled = useProposal({ prompt, open, shown, goToStep, focusField, rootRef });

  const [remembers, setRemembers] = useState(false);
  const [changing, setChanging] = useState(false);
  const folded = status === "answered" && !changing && !isOver(elicitation);
  useEffect(() => {
    if (!changing) return;
    if (goToStep === undefined) focusField(fields[0]?.name);
    else goToStep(shown.length);
  }, [changing, fields, focusField, goToStep, shown]);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // A form of the app around this one must not send itself.
    event.stopPropagation();
    takeAutofill(event);
    if (status === "submitting") return;
    if (giveOn?.isOpen === true && !isAnswer(event)) return giveOn.give();
    if (folded) return setChanging(true);
    const unreadable = unreadableFields(rootRef.current);
    if (steps?.isReview === false) return steps.next(unreadable);
    const result = form.submit(unreadable);
    if (!result.ok) return focusField(result.field);
    setChanging(false);
    void accept(result.content, { remember: remembers });
  }

  const hasSecrets = secretFields.length > 0;
  const refused = hasSecrets && secrets === "refuse";
  const heading = formHeadingOf(request)?.from;
  // Text of third parties is never a heading.
  const isOwn = !isThirdParty(request);
  const questions = useMemo(() => {
    const isHeading = isStepped ? isOwn : open.isAlone && (heading === "message" || heading === "question");
    const isAlone = isStepped || open.isAlone;
    const asked = { ...open, controls, isAlone, isStepped };
    return { ...asked, choices: chooseControls(asked), catalogue, leave, settle, isHeading };
  }, [open, controls, catalogue, leave, settle, heading, isStepped, isOwn]);
  const { note, decline, said } = useDeclineNote(prompt, noteRef);
  const handOver = useHandOver(prompt, questions, rootRef);
  const { told = filled, giveOn } = handOver;
  const isGiving = giveOn?.isOpen === true;
  const shared = useMemo(() => {
    const own = { questions, refused, folded, steps, note, remembers, setRemembers };
    return { ...prompt, ...own, decline, said, handOver, told, isGiving };
  }, [prompt, decline, said, questions, refused, folded, steps, note, remembers, handOver, told, isGiving]);
  return {
    shared,
    view: {
      ...view,
      state: {
        status,
        secrets: hasSecrets,
        asking: question !== null,
        folded,
        over: isOver(elicitation),
        noting: note?.isOpen === true,
        giving: isGiving,
        waiting: waits,
      },
    },
    inForm: (children) => (
      <>
        {/* The browser's own error bubbles use other texts than the catalogue, and show one error at a time. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its fields bubble here */}
        <form
          noValidate
          onSubmit={onSubmit}
          onFocus={(event) => labelEnter(event, steps?.isReview === false)}
          {...takesAutofill}
        >
          {children}
        </form>
        {region}
      </>
    ),
    question,
  };
}

/** Whether an option was pressed that is the answer. */
function isAnswer({ nativeEvent }: FormEvent): boolean {
  return nativeEvent instanceof SubmitEvent && nativeEvent.submitter?.dataset["answer"] !== undefined;
}

/**
 * Half a date has the empty text as its value. Without this check it would be dropped without an error. A year below 1000
 * was not typed to its end: 26 is no short form of 2026.
 */
function unreadableFields(root: HTMLElement | null): readonly string[] {
  const inputs = [...(root?.querySelectorAll<HTMLInputElement>("[data-field] input") ?? [])];
  return inputs
    .filter(
      ({ type, value, validity }) => validity.badInput || (type.startsWith("date") && value.startsWith("0")),
    )
    .map((input) => input.closest<HTMLElement>("[data-field]")?.dataset["field"] ?? "");
}

/**
 * Groups the parts of one form request. Escape in a control leaves the control. Elsewhere inside it, Escape dismisses the
 * request, after a confirmation if there is user input. Renders a `<div role="group">` with a `<form>` around the
 * children.
 */
export const FormElicitationRoot = /* @__PURE__ */ forwardRef(function FormElicitationRoot(
  props: FormElicitationRoot.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  // With a key, user input belongs to one request, and the next one starts empty.
  return <FormElicitationRootInner key={props.elicitation.id} {...props} ref={ref} />;
});
export namespace FormElicitationRoot {
  export type Props = PartProps<"div", State> & FormRootOptions;
  /** The state of the request that is shown. */
  export interface State {
    /** `data-status`: the status of the request. */
    status: ElicitationStatus;
    /** `data-secrets`: the form asks for secrets. */
    secrets: boolean;
    /** `data-asking`: the confirmation before input is discarded is shown. */
    asking: boolean;
    /** `data-over`: the request has ended, or the server does not know it. */
    over: boolean;
    /** `data-folded`: the answer is held for its round, and the questions are hidden. */
    folded: boolean;
    /** `data-noting`: the text field of "No, and …" is open. */
    noting: boolean;
    /** `data-giving`: the list of `GiveTo` is open. */
    giving: boolean;
    /** `data-waiting`: another user decides. */
    waiting: boolean;
  }
}

const FormElicitationRootInner = /* @__PURE__ */ forwardRef(function FormElicitationRootInner(
  {
    elicitation,
    children,
    catalogue: ownCatalogue,
    secrets: ownSecrets,
    controls,
    onAskAgain: ownAskAgain,
    ...props
  }: FormElicitationRoot.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { catalogue, secrets, components, onAskAgain } = useSettings({
    catalogue: ownCatalogue,
    secrets: ownSecrets,
    onAskAgain: ownAskAgain,
  });
  const { shared, view, inForm, question } = useFormRoot({
    elicitation,
    catalogue,
    secrets,
    controls: controls ?? components?.control,
    onAskAgain,
  });
  const content = inForm(
    <>
      {children}
      {question}
    </>,
  );
  const element = usePartElement({ ...props, children: content }, ref, view);
  return (
    <PromptContext.Provider value={shared}>
      <FormContext.Provider value={shared}>{element}</FormContext.Provider>
    </PromptContext.Provider>
  );
});
