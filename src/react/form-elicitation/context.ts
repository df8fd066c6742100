import { type ComponentType, createContext, type ReactNode } from "react";
import type { Draft, Field } from "../../form/index.ts";
import { createPartFactory, useShared } from "../create-part.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import type { PromptContextValue } from "../prompt/context.ts";
import type { FormState, FieldView } from "./form-state.ts";
import type { ControlName } from "./pick-control.ts";

/** What a control is given, a built-in one as well as a developer's own. */
export interface ControlProps {
  /** Its `name` comes from a stranger. As the `name` of an input it could replace a property of the form, `submit` for one. */
  field: Field;
  /** What stands in the control; `undefined` when nothing does. */
  draft: Draft | undefined;
  /** `undefined`: as if never touched. */
  readonly onChange: (draft: Draft | undefined) => void;
  /** To be called when the focus leaves the control: errors show from then on. */
  readonly onBlur: () => void;
  /** For the element that takes the focus; the label points to it. A group of elements is named by `labelId`. */
  id: string;
  labelId: string;
  /** For `aria-describedby`: description and error. */
  describedBy: string | undefined;
  invalid: boolean;
  /** Asked for a secret: not to be shown as it is typed, nor remembered by the browser. */
  secret: boolean;
  catalogue: Catalogue;
}

/** By control name, or by a hint of one's own (`context.fields[name].control`). */
export type Controls = Readonly<Partial<Record<ControlName, ComponentType<ControlProps>>>> &
  Readonly<Record<string, ComponentType<ControlProps> | undefined>>;

/** What the root of a form shares with its parts. Stays the same while the person types. */
export interface FormContextValue extends PromptContextValue {
  fields: readonly Field[];
  secretFields: readonly Field[];
  /** Secrets are asked for, and must not be. */
  refused: boolean;
  form: FormState;
  controls: Controls;
  /** The focus has left the field of that name. */
  readonly leave: (name: string) => void;
  readonly submit: () => void;
}

export const FormContext = createContext<FormContextValue | undefined>(undefined);
const FORM_PARENT = "<FormElicitationParts.Root>";

/** For parts that only forms have. */
export const formPart = createPartFactory(FormContext, FORM_PARENT);

/** The form around `part`. Throws when there is none. */
export function useForm(part: string): FormContextValue {
  return useShared(FormContext, part, FORM_PARENT);
}

/** What a field shares with its label, control, description and error. */
export interface FieldContextValue {
  field: Field;
  view: FieldView;
  /** What helps to answer; empty when nothing does. */
  description: string;
  control: ControlName | "custom";
  readonly drawControl: (props: ControlProps) => ReactNode;
  /** Start of the ids of its elements. */
  id: string;
  root: FormContextValue;
}

export const FieldContext = createContext<FieldContextValue | undefined>(undefined);
const FIELD_PARENT = "<FormElicitationParts.Field>";

/** For parts of one field. */
export const fieldPart = createPartFactory(FieldContext, FIELD_PARENT);

/** The field around `part`. Throws when there is none. */
export function useField(part: string): FieldContextValue {
  return useShared(FieldContext, part, FIELD_PARENT);
}
