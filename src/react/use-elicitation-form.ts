"use client";
import {
  type ChangeEvent,
  type CSSProperties,
  type FocusEvent,
  type FormEvent,
  type FormHTMLAttributes,
  type InputHTMLAttributes,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Field } from "../form/index.ts";
import type { Catalogue } from "../words/cards/catalogue.ts";
import type { FormElicitationItem } from "./bound-elicitation.ts";
import type { CardSettings } from "./card-props.ts";
import { useSettings } from "./use-settings.ts";
import { useAnswers } from "./form-elicitation/context.ts";
import { inputName } from "./form-elicitation/controls/input-props.ts";
import { errorText } from "../words/cards/limit-words.ts";
import { describe, draftText, limitsText } from "./form-elicitation/field-words.ts";
import { type FieldState, type FormState, stateOf } from "./form-elicitation/form-state.ts";
import { openForm } from "./form-elicitation/open-form.ts";
import { takeAutofill, takesAutofill } from "./form-elicitation/take-autofill.ts";
import { optionLine } from "../form/hints.ts";
import { formatNumber, readNumber, writeNumber } from "../form/number-text.ts";
import { type PresentedField, presentField, ratingSteps } from "../form/present-field.ts";

/** Options of `useElicitationForm`. */
export type UseElicitationFormOptions = Pick<CardSettings, "catalogue" | "secrets">;

/** A form request, as props for your own elements. */
export interface ElicitationForm {
  /** The fields, in the order in which they are asked. */
  fields: readonly ElicitationField[];
  /** Props for the `<form>`. */
  formProps: { noValidate: true } & FormHTMLAttributes<HTMLFormElement>;
  /** Props for the submit button. */
  submitProps: { type: "submit"; "aria-disabled": true | undefined };
  /**
   * Props for a checkbox "Share what looks like a secret". Only for forms that ask for secrets, which are not sent
   * without it.
   */
  confirmProps: InputHTMLAttributes<HTMLInputElement> | undefined;
  /** The form asks for secrets, and `secrets` is `refuse`, so there are no fields. */
  refused: boolean;
}

/** One question. `element` is the kind of element that takes its props. */
export type ElicitationField = FieldParts &
  (
    | { element: "input"; inputProps: InputHTMLAttributes<HTMLInputElement> }
    | { element: "textarea"; inputProps: TextareaHTMLAttributes<HTMLTextAreaElement> }
    | {
        element: "select";
        inputProps: SelectHTMLAttributes<HTMLSelectElement>;
        options: readonly { value: string; label: string }[];
      }
  );

interface FieldParts {
  name: string;
  field: Field;
  label: string;
  /** The help text for the answer. */
  description: string | undefined;
  /** The error of the answer, after the user has left the field or tried to send. */
  error: string | undefined;
  /** What a sentence of the user says, if they had typed another answer. `use` replaces that answer. */
  instead: { text: string; use: () => void; keep: () => void } | undefined;
  labelProps: { id: string; htmlFor: string };
  descriptionProps: { id: string };
  errorProps: { id: string };
}

/**
 * The state of one form for your own elements: the input (kept across a reload), error texts linked to their fields, the
 * focus on the first error, and a separate confirmation for secrets. It renders nothing.
 */
export function useElicitationForm(
  elicitation: FormElicitationItem,
  options: UseElicitationFormOptions = {},
): ElicitationForm {
  const { catalogue, secrets } = useSettings(options);
  const { id, status, fieldErrors, accept } = elicitation;
  const [opened, setOpened] = useState(() => ({ id, ...openForm(elicitation) }));
  // Each request has its own answers.
  if (opened.id !== id) setOpened({ id, ...openForm(elicitation) });
  const { fields, secretFields, form } = opened;
  const answers = useAnswers(form);
  const [typed, setTyped] = useState<Typed>(NOTHING_TYPED);
  const formId = useId();
  const element = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const first = fieldErrors && form.refuse(fieldErrors);
    if (first !== undefined) focus(element.current, idOf(formId, fields, first));
  }, [fieldErrors, form, fields, formId]);

  const { proposal } = elicitation;
  useEffect(() => {
    if (proposal?.state === "filled") form.propose(proposal.content);
  }, [proposal, form]);

  const hasSecrets = secretFields.length > 0;
  const refused = hasSecrets && secrets === "refuse";
  const busy = status === "submitting";
  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    event.stopPropagation();
    element.current = event.currentTarget;
    takeAutofill(event);
    if (busy || refused) return;
    const result = form.submit(unreadableFields(event.currentTarget, formId, fields));
    if (result.ok) void accept(result.content);
    else focus(event.currentTarget, idOf(formId, fields, result.field));
  }

  const onType = (name: string, text: string, draft: string): void => {
    setTyped(new Map(typed).set(name, { text, draft }));
    form.change(name, draft);
  };
  const asked = { form, catalogue, typed, onType };
  return {
    fields: refused
      ? []
      : fields.map((field) =>
          fieldOf(field, stateOf(answers, field.name), idOf(formId, fields, field.name), {
            ...asked,
            ...presentField(field, opened, catalogue.recommended, form.given(field.name)),
          }),
        ),
    formProps: { noValidate: true, onSubmit, ...takesAutofill },
    submitProps: { type: "submit", "aria-disabled": busy || refused || undefined },
    confirmProps:
      hasSecrets && !refused
        ? {
            id: idOf(formId, fields, undefined),
            type: "checkbox",
            checked: answers.secrets === "confirmed",
            "aria-invalid": answers.secrets === "missing" || undefined,
            onChange: (event) => form.confirmSecrets(event.currentTarget.checked),
          }
        : undefined,
    refused,
  };
}

/** By index, because any text may be the name of a field. Without a name: the id of the confirmation for secrets. */
function idOf(formId: string, fields: readonly Field[], name: string | undefined): string {
  return `${formId}${fields.findIndex((field) => field.name === name)}`;
}

function focus(form: HTMLFormElement | null, id: string): void {
  const found = form?.elements.namedItem(id);
  if (found instanceof HTMLElement) found.focus();
}

/** Half a date has the empty text as its value. Without this check it would be dropped without an error. */
function unreadableFields(
  form: HTMLFormElement,
  formId: string,
  fields: readonly Field[],
): readonly string[] {
  return fields
    .filter(({ name }) => {
      const found = form.elements.namedItem(idOf(formId, fields, name));
      return found instanceof HTMLInputElement && found.validity.badInput;
    })
    .map(({ name }) => name);
}

/** Numbers as they were typed, by field: `1,000` stays unchanged, and the draft is `1000`. */
type Typed = ReadonlyMap<string, { text: string; draft: string }>;
const NOTHING_TYPED: Typed = new Map();

interface Asked extends PresentedField {
  form: FormState;
  catalogue: Catalogue;
  typed: Typed;
  onType: (name: string, text: string, draft: string) => void;
}

function fieldOf(
  field: Field,
  { draft, error, instead }: FieldState,
  id: string,
  asked: Asked,
): ElicitationField {
  const { form, catalogue, control } = asked;
  const { name, label, required } = field;
  const description =
    [describe(field, control, catalogue), limitsText(field, control, draft, catalogue)]
      .filter(Boolean)
      .join(" · ") || undefined;
  const parts: FieldParts = {
    name,
    field,
    label,
    description,
    error: error && errorText(error, field, catalogue),
    instead:
      instead === undefined
        ? undefined
        : {
            text: draftText(field, instead, catalogue),
            use: () => form.settle(name, "use"),
            keep: () => form.settle(name, "keep"),
          },
    labelProps: { id: `${id}label`, htmlFor: id },
    descriptionProps: { id: `${id}description` },
    errorProps: { id: `${id}error` },
  };
  const shared = {
    id,
    name: inputName(field),
    required,
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby":
      [description && parts.descriptionProps.id, error && parts.errorProps.id].filter(Boolean).join(" ") ||
      undefined,
    onBlur: (_event: FocusEvent<HTMLElement>) => form.blur(name),
  } as const;
  const options = optionsOf(field, asked);
  if (control === "textarea") {
    const style = asked.isSecret ? HIDDEN : undefined;
    return {
      ...parts,
      element: "textarea",
      inputProps: { ...shared, ...textOf(field, draft, asked), style },
    };
  }
  if (options === undefined) {
    return { ...parts, element: "input", inputProps: { ...shared, ...inputOf(field, draft, asked) } };
  }
  const chosen = [draft ?? []].flat().map((value) => String(options.findIndex((one) => one.draft === value)));
  const multiple = field.kind === "multi-choice";
  return {
    ...parts,
    element: "select",
    // By index, because an option may have the empty text as its value, which differs from no choice.
    options: [
      ...(multiple ? [] : [{ value: "", label: required ? catalogue.choose : catalogue.notSet }]),
      ...options.map((one, index) => ({ value: String(index), label: one.label })),
    ],
    inputProps: {
      ...shared,
      multiple,
      value: multiple ? chosen : (chosen[0] ?? ""),
      onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => {
        const drafts = [...currentTarget.options]
          .filter(({ selected, value }) => selected && value !== "")
          .flatMap(({ value }) => options[Number(value)]?.draft ?? []);
        form.change(name, multiple ? drafts.map(String) : drafts[0]);
      },
    },
  };
}

/** For several lines, for which browsers have no hidden input. Types of CSS do not know the property. */
const HIDDEN: CSSProperties = { ["WebkitTextSecurity" as string]: "disc" };

/** The props of an input for text, of one or several lines. */
function textOf(field: Field, draft: FieldState["draft"], { form, input }: Asked) {
  return {
    ...input,
    value: typeof draft === "string" ? draft : "",
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      form.change(field.name, event.currentTarget.value),
  };
}

/** The props that only inputs have. */
function inputOf(
  field: Field,
  draft: FieldState["draft"],
  asked: Asked,
): InputHTMLAttributes<HTMLInputElement> {
  const { form, catalogue, control, typed, onType } = asked;
  const { name } = field;
  if (control === "checkbox") {
    return {
      type: "checkbox",
      checked: draft === true,
      onChange: (event) => form.change(name, event.currentTarget.checked),
    };
  }
  const text = textOf(field, draft, asked);
  if (field.kind !== "number") return text;
  const last = typed.get(name);
  return {
    ...text,
    value: last !== undefined && last.draft === draft ? last.text : writeNumber(text.value, catalogue),
    onChange: ({ currentTarget: { value } }) => onType(name, value, readNumber(value, catalogue)),
  };
}

/** The options of a select. `undefined` for fields that are not a choice. */
function optionsOf(field: Field, { control, recommended, catalogue }: Asked) {
  if (control === "yes-no") {
    return [
      { draft: true, label: catalogue.yes },
      { draft: false, label: catalogue.no },
    ];
  }
  if (control === "rating" && field.kind === "number") {
    return ratingSteps(field).map((step) => ({ draft: String(step), label: formatNumber(step, catalogue) }));
  }
  if (!("options" in field)) return undefined;
  return field.options.map((option) => ({ draft: option.value, label: optionLine(option, recommended) }));
}
