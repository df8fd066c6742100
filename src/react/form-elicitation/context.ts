import {
  type ComponentType,
  createContext,
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
import type { ControlLayout, ControlName } from "./pick-control.ts";
import type { Steps } from "./steps.ts";

/** "No, and …": a decline that says what the user wants instead. */
export interface DeclineNote {
  text: string;
  isOpen: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  readonly toggle: () => void;
}

/** The text in which the user answers a choice in their own words, in place of an option. */
export interface OwnWords {
  field: Field;
  draft: Draft | undefined;
  /** Sets the words, and takes the choice off. */
  readonly onChange: (draft: Draft | undefined) => void;
  readonly onBlur: () => void;
  id: string;
  invalid: boolean;
}

/** The props of every control, built-in or a developer's own. */
export interface ControlProps {
  /** `field.name` is not trusted: as the `name` of an input it could replace a property of the form, such as `submit`. */
  field: Field;
  /** The value as typed; `undefined` when there is none. */
  draft: Draft | undefined;
  /** Sets the value; `undefined` resets it to untouched. */
  readonly onChange: (draft: Draft | undefined) => void;
  /** Call it when the focus leaves the control: errors appear from then on. */
  readonly onBlur: () => void;
  /** For the element that takes the focus; the label points to it. Name a group of elements by `labelId` instead. */
  id: string;
  labelId: string;
  /** Value for `aria-describedby`: the ids of limits, description and error. */
  describedBy: string | undefined;
  invalid: boolean;
  /** Asks for a secret: hide what is typed, and let the browser not remember it. */
  secret: boolean;
  /** For a choice that may be answered in the user's own words: show a text beside the options. */
  ownWords: OwnWords | undefined;
  /** The number keys choose an option: it is the only question in sight. */
  hasKeys: boolean;
  /** Of a choice: the option that the asker recommends. Mark it, but do not choose it. */
  recommended: Recommended | undefined;
  /** How the built-in control would be laid out; `undefined` when it has one layout only. */
  layout: ControlLayout | undefined;
  /** The `className` of `FormElicitationParts.Control`, for the outermost element. */
  className: string | undefined;
  catalogue: Catalogue;
}

/** Controls by built-in name, or by a hint of your own (`context.fields[name].control`). */
export type Controls = Readonly<Partial<Record<ControlName, ComponentType<ControlProps>>>> &
  Readonly<Record<string, ComponentType<ControlProps> | undefined>>;

/** How a question is shown. */
export interface Choice {
  readonly picked: ControlName;
  readonly layout: ControlLayout | undefined;
  /** A developer's own control, for a hint of their own. */
  readonly custom: ComponentType<ControlProps> | undefined;
  /** It shares a row with a neighbour. */
  readonly half: boolean;
}

/** What all questions of a form share. The same object while the user types and while the answer is sent. */
export interface Questions {
  fields: readonly Field[];
  /** The same without the texts that are shown with their choice. */
  shown: readonly Field[];
  secretFields: readonly Field[];
  form: FormState;
  controls: Controls;
  catalogue: Catalogue;
  /** `context` of the request, with the hints for controls. */
  context: Readonly<Record<string, unknown>> | undefined;
  choices: ReadonlyMap<Field, Choice>;
  /** The heading of the card asks the question in sight. */
  isHeading: boolean;
  /** They are asked one at a time. */
  isStepped: boolean;
  /** Optional questions are marked: most others must be answered. */
  marksOptional: boolean;
  /** Call it when the focus has left the field of that name. */
  readonly leave: (name: string) => void;
}

/** What the root of a form shares with its parts. */
export interface FormShared extends PromptShared {
  questions: Questions;
  /** Secrets are asked for, and must not be. */
  refused: boolean;
  /** The answer is held for its round, and the questions are hidden until the user wants to change it. */
  folded: boolean;
  /** The user has ticked that the answer may be used again. */
  remembers: boolean;
  readonly setRemembers: (remembers: boolean) => void;
  /** Where the user is, when the form asks one question at a time. */
  steps: Steps | undefined;
  /** A no with a word; missing where nobody reads one. */
  note: DeclineNote | undefined;
}

export const FormContext = /* @__PURE__ */ createContext<FormShared | undefined>(undefined);

/** For parts that only forms have. `part` is their name behind the dot. */
export function useForm(part: string): FormShared {
  return useShared(FormContext, `FormElicitationParts.${part}`, "FormElicitationParts.Root");
}

export const formPart = /* @__PURE__ */ partsOf(useForm);

/** What a form holds. Re-renders with every change of it. */
export function useAnswers({ subscribe, answers }: FormState): Answers {
  return useSyncExternalStore(subscribe, answers, answers);
}

/** The same, with the answers. */
export interface FilledForm extends FormShared {
  answers: Answers;
}

/** For parts that only forms have, and that show something of the answers. */
function useFilledForm(part: string): FilledForm {
  const shared = useForm(part);
  return { ...shared, answers: useAnswers(shared.questions.form) };
}

export const filledPart = /* @__PURE__ */ partsOf(useFilledForm);

/** What a field shares with its label, control, description and error. */
export interface FieldShared {
  field: Field;
  state: FieldState;
  /** The text for own words of a choice, and what it holds. */
  words: { readonly field: Field; readonly state: FieldState } | undefined;
  /** What helps to answer; empty when nothing does. */
  description: string;
  /** The limits of the answer; empty when there are none to show. */
  limits: string;
  control: ControlName | "custom";
  /** The control is a developer's own. */
  isReplaced: boolean;
  /** Call it when a control of the developer's own is rendered for this field only. */
  readonly onReplaced?: ((isReplaced: boolean) => void) | undefined;
  layout: ControlLayout | undefined;
  /** It shares a row with a neighbour. */
  half: boolean;
  readonly drawControl: (props: ControlProps) => ReactNode;
  /** Start of the ids of its elements. */
  id: string;
  questions: Questions;
}

export const FieldContext = /* @__PURE__ */ createContext<FieldShared | undefined>(undefined);

/** For parts of one field. `part` is their name behind the dot. */
export function useField(part: string): FieldShared {
  return useShared(FieldContext, `FormElicitationParts.${part}`, "FormElicitationParts.Field");
}

export const fieldPart = /* @__PURE__ */ partsOf(useField);
