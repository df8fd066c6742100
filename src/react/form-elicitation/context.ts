import { type ComponentType, createContext, type ReactNode } from "react";
import type { Draft, Field } from "../../form/index.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import type { PromptShared } from "../prompt/context.ts";
import { useShared } from "../use-shared.ts";
import type { FieldView, FormState } from "./form-state.ts";
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

/** What all questions of a form have in common. The same object while the person types, and while the answer is sent. */
export interface Questions {
  fields: readonly Field[];
  secretFields: readonly Field[];
  form: FormState;
  controls: Controls;
  catalogue: Catalogue;
  /** What the request says about itself; hints for controls are in it. */
  context: Readonly<Record<string, unknown>> | undefined;
  /** The focus has left the field of that name. */
  readonly leave: (name: string) => void;
}

/** What the root of a form shares with its parts. */
export interface FormShared extends PromptShared {
  questions: Questions;
  /** Secrets are asked for, and must not be. */
  refused: boolean;
}

export const FormContext = /* @__PURE__ */ createContext<FormShared | undefined>(undefined);

/** For parts that only forms have. `part` is their name behind the dot. */
export function useForm(part: string): FormShared {
  return useShared(FormContext, `FormElicitationParts.${part}`, "FormElicitationParts.Root");
}

/** What a field shares with its label, control, description and error. */
export interface FieldShared {
  field: Field;
  view: FieldView;
  /** What helps to answer; empty when nothing does. */
  description: string;
  control: ControlName | "custom";
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
