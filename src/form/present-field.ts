import type { Draft, Field } from "./field.ts";
import { controlHint, type Recommended, recommendedOf } from "./hints.ts";
import { keyboardOf } from "./number-text.ts";
import { type ControlName, pickControl } from "./pick-control.ts";
import { questionsOf, wordsOf } from "./steps.ts";

interface AskedForm {
  readonly fields: readonly Field[];
  readonly secretFields: readonly Field[];
  /** `context` of the request, with the hints for controls. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
  /** Whether pressing an option is the answer. */
  readonly isPressed?: boolean | undefined;
}

/** What every field of a form depends on. */
export interface PresentedForm extends AskedForm {
  /** The fields without the free texts that are shown with their choice. */
  readonly shown: readonly Field[];
  /** Whether the user sees one question only. */
  readonly isAlone: boolean;
  /** Whether optional questions are marked: only where they are the exception. */
  readonly marksOptional: boolean;
}

export function presentForm(asked: AskedForm): PresentedForm {
  const shown = questionsOf(asked.fields);
  return {
    ...asked,
    shown,
    isAlone: shown.length === 1,
    marksOptional: shown.filter(({ required }) => required).length * 2 >= shown.length,
  };
}

/** How one field is shown, for every renderer. */
export interface PresentedField {
  readonly control: ControlName;
  /** The free text that is shown with a choice. */
  readonly words: Field | undefined;
  /** Whether the answer is hidden while it is typed, and never kept or shown again. */
  readonly isSecret: boolean;
  /** Whether the question is marked as optional. */
  readonly isMarked: boolean;
  readonly recommended: Recommended | undefined;
  readonly input: TypedInput;
}

/** Attributes of HTML for the element into which an answer is typed, by React's names. Empty for a choice. */
export interface TypedInput {
  /** Absent for several lines. Browsers have no hidden input for these, so a secret needs CSS. */
  readonly type?: "text" | "email" | "url" | "date" | "password" | undefined;
  readonly inputMode?: "numeric" | "decimal" | "text" | undefined;
  readonly autoComplete?: "off" | "new-password" | "email" | "url" | undefined;
  readonly dir?: "auto" | undefined;
  readonly placeholder?: string | undefined;
  /** Of a secret, because browsers may send what they check to a service. */
  readonly spellCheck?: false | undefined;
}

/**
 * The rules for one field, which React, the hosted page, Slack and the registry follow. `word` marks a recommended option
 * if the request has no word for it. `given` is a value that the user has not typed into this control.
 */
export function presentField(field: Field, form: PresentedForm, word: string, given?: Draft): PresentedField {
  const isSecret = form.secretFields.includes(field);
  const recommended = recommendedOf(form.context, field, word);
  // A mark needs visible options. A slider or a rating would show a secret.
  const hint =
    isSecret && field.kind === "number"
      ? undefined
      : (controlHint(form.context, field.name) ?? (recommended && "radio"));
  const control = form.isPressed ? "press" : pickControl(field, hint, form.isAlone, given);
  return {
    control,
    words: wordsOf(field, form.fields),
    isSecret,
    isMarked: form.marksOptional && control !== "checkbox" && canBeEmpty(field),
    recommended,
    input: typedInto(field, control, isSecret),
  };
}

/** Whether no answer is an answer. A default is an answer from the start. */
export function canBeEmpty({ required, default: initial }: Field): boolean {
  return !required && initial === undefined;
}

/** The values of a rating. */
export function ratingSteps({ minimum = 1, maximum = 5 }: Field & { kind: "number" }): readonly number[] {
  const first = Math.ceil(minimum);
  return Array.from({ length: Math.floor(maximum) - first + 1 }, (_, step) => first + step);
}

function typedInto(field: Field, control: ControlName, isSecret: boolean): TypedInput {
  const isNumber = field.kind === "number";
  if (!isNumber && field.kind !== "text") return {};
  const link = control === "email" || control === "url" ? control : undefined;
  // `<input type="number">` drops incomplete numbers, such as `1.`, and changes the value with the mouse wheel.
  const line = isSecret ? "password" : (link ?? (control === "date" ? control : "text"));
  const type = control === "textarea" ? undefined : line;
  return {
    type,
    inputMode: keyboardOf(field),
    // With "off", Chrome fills in saved passwords.
    autoComplete: type === "password" ? "new-password" : isSecret || isNumber ? "off" : link,
    // A day has no letters that tell its direction: it follows the page.
    dir: type === "date" ? undefined : "auto",
    placeholder: field.placeholder,
    spellCheck: isSecret ? false : undefined,
  };
}
