import {
  type ComponentType,
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  useSyncExternalStore,
} from "react";
import type { Draft, Field } from "../../form/index.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { PromptShared } from "../prompt/context.ts";
import { partsOf } from "../part.ts";
import { useShared } from "../use-shared.ts";
import type { Answers, FieldState, FormState } from "./form-state.ts";
import type { Recommended } from "../../form/hints.ts";
import type { ControlLayout, ControlName } from "../../form/pick-control.ts";
import type { PresentedField, PresentedForm } from "../../form/present-field.ts";
import type { Steps } from "./steps.ts";

/** "No, and …": a decline with a note that says what the user wants instead. */
export interface DeclineNote {
  text: string;
  isOpen: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  readonly toggle: () => void;
}

/** The free text with which the user can answer a choice instead of selecting an option. */
export interface OwnWords {
  field: Field;
  draft: Draft | undefined;
  /** Sets the text, and deselects the option. */
  readonly onChange: (draft: Draft | undefined) => void;
  readonly onBlur: () => void;
  id: string;
  invalid: boolean;
  /** As in `ControlProps`. */
  input: ControlProps["input"];
}

/** The props of every control, built-in or a developer's own. */
export interface ControlProps {
  /** `field.name` is untrusted: as the `name` of an input it could replace a property of the form, such as `submit`. */
  field: Field;
  /** The typed value. `undefined` if there is none. */
  draft: Draft | undefined;
  /** Sets the value. `undefined` resets it to untouched. */
  readonly onChange: (draft: Draft | undefined) => void;
  /** Call it when the focus leaves the control. Errors appear after that. */
  readonly onBlur: () => void;
  /**
   * The id for the element that takes the focus. The label refers to it. For a group of elements, use `labelId` as its
   * name instead.
   */
  id: string;
  labelId: string;
  /** Value for `aria-describedby`: the ids of limits, description and error. */
  describedBy: string | undefined;
  invalid: boolean;
  /** Whether the field asks for a secret. If so, hide the input, and keep the browser from remembering it. */
  secret: boolean;
  /**
   * Attributes of the `<input>` or `<textarea>` into which the answer is typed: the kind of input, keyboard and autofill.
   * Empty for a choice.
   */
  input: Pick<
    InputHTMLAttributes<HTMLElement>,
    "type" | "inputMode" | "autoComplete" | "dir" | "placeholder" | "spellCheck"
  >;
  /** Set for a choice that allows free text: show a text field beside the options. */
  ownWords: OwnWords | undefined;
  /** Whether number keys select an option, because this is the only visible question. */
  hasKeys: boolean;
  /** The option of a choice that the requester recommends. Mark it, but do not preselect it. */
  recommended: Recommended | undefined;
  /** The layout of the built-in control. `undefined` if it has only one layout. */
  layout: ControlLayout | undefined;
  /** The `className` of `FormElicitationParts.Control`, for the outermost element. */
  className: string | undefined;
  catalogue: Catalogue;
}

/** Controls by built-in name, or by your own hint (`context.fields[name].control`). */
export type Controls = Readonly<Partial<Record<ControlName, ComponentType<ControlProps>>>> &
  Readonly<Record<string, ComponentType<ControlProps> | undefined>>;

/** Which control a question gets, and how much space. */
export interface Choice {
  readonly control: ControlName;
  readonly layout: ControlLayout | undefined;
  /** A developer's own control, for their own hint. */
  readonly custom: ComponentType<ControlProps> | undefined;
  /** Whether it shares a row with another question. */
  half?: boolean;
}

/**
 * The values that all questions of a form share. The same object while the user types and while the answer is being sent.
 */
export interface Questions extends PresentedForm {
  form: FormState;
  controls: Controls;
  catalogue: Catalogue;
  choices: ReadonlyMap<Field, Choice>;
  /** Whether the heading of the card contains the visible question. */
  isHeading: boolean;
  /** Whether the questions are asked one at a time. */
  isStepped: boolean;
  /** Call it when the focus has left the field with that name. */
  readonly leave: (name: string) => void;
  /** Takes or drops what a sentence says instead of the answer, and moves the focus to the field. */
  readonly settle: (name: string, choice: "use" | "keep") => void;
}

/** The actions on the assignment of a form. */
export interface HandOver {
  /** Whether one of the actions is running. */
  busy: boolean;
  /** The result of the last action. */
  told: PromptShared["told"];
  readonly takeBack: () => void;
  readonly remind: () => void;
  /** Absent if the user cannot pass the form on. */
  giveOn: GiveOn | undefined;
}

/** The list of users and groups to which the form can be passed on, as a question of its own. */
export type GiveOn = { readonly toggle: () => void; readonly give: () => void } & (
  | { isOpen: false }
  | { isOpen: true; field: Field; questions: Questions }
);

/** The values that the root of a form shares with its parts. */
export interface FormShared extends PromptShared {
  handOver: HandOver;
  questions: Questions;
  /** Whether the form asks for secrets, which are not allowed. */
  refused: boolean;
  /** Whether the answer is held for its round, and the questions are hidden until the user wants to change it. */
  folded: boolean;
  /** Whether the user has ticked that the answer may be remembered. */
  remembers: boolean;
  readonly setRemembers: (remembers: boolean) => void;
  /** The position of the user, if the form asks one question at a time. */
  steps: Steps | undefined;
  /** A decline with a note. Absent if no agent reads the note. */
  note: DeclineNote | undefined;
}

export const FormContext = /* @__PURE__ */ createContext<FormShared | undefined>(undefined);

/** For parts that only forms have. `part` is the name after the dot. */
export function useForm(part: string): FormShared {
  return useShared(FormContext, `FormElicitationParts.${part}`, "FormElicitationParts.Root");
}

export const formPart = /* @__PURE__ */ partsOf(useForm);

/** Returns the answers of a form. Re-renders with every change. */
export function useAnswers({ subscribe, answers }: FormState): Answers {
  return useSyncExternalStore(subscribe, answers, answers);
}

/** A form with its answers. */
export interface FilledForm extends FormShared {
  answers: Answers;
}

/** For parts that only forms have, and that show answers. */
function useFilledForm(part: string): FilledForm {
  const shared = useForm(part);
  return { ...shared, answers: useAnswers(shared.questions.form) };
}

export const filledPart = /* @__PURE__ */ partsOf(useFilledForm);

/** The values that a field shares with its label, control, description and error. */
export interface FieldShared extends Omit<PresentedField, "control" | "words"> {
  field: Field;
  state: FieldState;
  /** The free text of a choice, and its value. */
  words: { readonly field: Field; readonly state: FieldState } | undefined;
  /** The help text for the answer. Empty if there is none. */
  description: string;
  /** The limits of the answer; empty when there are none to show. */
  limits: string;
  control: ControlName | "custom";
  /** Whether the control is a developer's own. */
  isReplaced: boolean;
  /** Call it when a developer's own control is rendered for this field only. */
  readonly onReplaced?: ((isReplaced: boolean) => void) | undefined;
  layout: ControlLayout | undefined;
  /** Whether it shares a row with another question. */
  half: boolean | undefined;
  readonly drawControl: (props: ControlProps) => ReactNode;
  /** The prefix for the ids of its elements. */
  id: string;
  questions: Questions;
}

export const FieldContext = /* @__PURE__ */ createContext<FieldShared | undefined>(undefined);

/** For parts of one field. `part` is the name after the dot. */
export function useField(part: string): FieldShared {
  return useShared(FieldContext, `FormElicitationParts.${part}`, "FormElicitationParts.Field");
}

export const fieldPart = /* @__PURE__ */ partsOf(useField);
