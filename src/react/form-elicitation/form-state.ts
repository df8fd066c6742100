import {
  type Draft,
  type Drafts,
  type Field,
  type FieldError,
  validate,
  validateField,
} from "../../form/index.ts";
import type { ElicitationContent } from "../../contract/contract.ts";

/** The value of one field and its error. The same object until one of them changes. */
export interface FieldState {
  readonly draft: Draft | undefined;
  /** Shown after the first blur that follows a change, or after the first submit. */
  readonly error: ShownError | undefined;
}

/** Found here or by the server, whose code may be unknown to this version. */
export type ShownError = FieldError | { code: string; message: string };

export type SubmitResult =
  | { ok: true; content: ElicitationContent }
  /** `field`: the first one to correct; absent when only the confirmation of secrets is missing. */
  | { ok: false; field?: string | undefined };

export interface FormStateOptions {
  fields: readonly Field[];
  drafts: Drafts;
  /** The form asks for secrets, and sharing them must be confirmed separately. */
  hasSecrets: boolean;
  onChange: (drafts: Drafts) => void;
}

/** What the person has typed into one form, and the errors shown. Each field subscribes to it. */
export interface FormState {
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes with every change of the form. */
  readonly version: () => number;
  /** The state of one field. */
  readonly state: (name: string) => FieldState;
  /** Sets a value; `undefined` resets it to untouched. */
  readonly change: (name: string, draft: Draft | undefined) => void;
  /** Call it when the person has left the field. */
  readonly blur: (name: string) => void;
  /** Shows the server's errors. Returns the name of the first field that has one. */
  readonly refuse: (
    errors: Readonly<Record<string, { code: string; message: string }>>,
  ) => string | undefined;
  /** Whether the person has put in anything that a dismissal would lose. */
  readonly holdsTyping: () => boolean;
  /** How many errors are shown. */
  readonly errorCount: () => number;
  /** What the last submit without errors sent. */
  readonly sent: () => ElicitationContent | undefined;
  /** The texts and numbers that the person has typed, by field. Empty for forms that ask for secrets. */
  readonly typed: () => Readonly<Record<string, string>>;
  readonly secrets: () => "none" | "unconfirmed" | "missing" | "confirmed";
  readonly confirmSecrets: (confirmed: boolean) => void;
  /** `unreadable`: names of fields whose input holds no valid value yet, such as half a date. */
  readonly submit: (unreadable?: readonly string[]) => SubmitResult;
}

const UNTOUCHED: FieldState = { draft: undefined, error: undefined };

export function createFormState({ fields, drafts, hasSecrets, onChange }: FormStateOptions): FormState {
  const states = new Map<string, FieldState>(
    Object.entries(drafts).map(([name, draft]) => [name, { draft, error: undefined }]),
  );
  const listeners = new Set<() => void>();
  const changed = new Set<string>();
  let sent: ElicitationContent | undefined;
  let secrets: ReturnType<FormState["secrets"]> = hasSecrets ? "unconfirmed" : "none";

  const state = (name: string): FieldState => states.get(name) ?? UNTOUCHED;
  let version = 0;
  const notify = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };

  function show(name: string, error: ShownError | undefined): void {
    if (state(name).error !== error) states.set(name, { ...state(name), error });
  }

  /** Built from entries, so that a field may be named `__proto__`. */
  function currentDrafts(): Drafts {
    return Object.fromEntries(
      [...states].flatMap(([name, { draft }]) => (draft === undefined ? [] : [[name, draft] as const])),
    );
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    state,
    change(name, draft) {
      const field = fields.find((candidate) => candidate.name === name);
      if (field === undefined) return;
      changed.add(name);
      // A shown error disappears as soon as it is corrected; a new one waits for the blur.
      const error = state(name).error && validateField(field, draft);
      states.set(name, { draft, error });
      onChange(currentDrafts());
      notify();
    },
    blur(name) {
      const field = fields.find((candidate) => candidate.name === name);
      // An unchanged value keeps its error, which may be the server's.
      if (field === undefined || !changed.delete(name)) return;
      show(name, validateField(field, state(name).draft));
      notify();
    },
    refuse(errors) {
      const byName = new Map(Object.entries(errors));
      for (const { name } of fields) show(name, byName.get(name));
      notify();
      return fields.find(({ name }) => byName.has(name))?.name;
    },
    holdsTyping: () =>
      fields.some(({ name, default: initial }) => {
        const { draft = "" } = state(name);
        return draft !== false && String(draft) !== "" && String(draft) !== String(initial ?? "");
      }),
    errorCount: () => [...states.values()].filter(({ error }) => error !== undefined).length,
    sent: () => sent,
    typed: () =>
      Object.fromEntries(
        fields.flatMap(({ name, kind, default: initial }) => {
          const { draft = "" } = state(name);
          const isText = typeof draft === "string" && (kind === "text" || kind === "number");
          return hasSecrets || !isText || draft === "" || draft === String(initial) ? [] : [[name, draft]];
        }),
      ),
    secrets: () => secrets,
    confirmSecrets(confirmed) {
      secrets = confirmed ? "confirmed" : "unconfirmed";
      notify();
    },
    submit(unreadable = []) {
      const result = validate(fields, currentDrafts());
      const errors = new Map<string, FieldError>(result.ok ? [] : Object.entries(result.errors));
      for (const field of fields) {
        if (unreadable.includes(field.name)) errors.set(field.name, unreadableError(field));
      }
      changed.clear();
      for (const { name } of fields) show(name, errors.get(name));
      if (secrets === "unconfirmed") secrets = "missing";
      notify();
      if (!result.ok || errors.size > 0)
        return { ok: false, field: fields.find(({ name }) => errors.has(name))?.name };
      if (secrets === "missing") return { ok: false };
      sent = result.content;
      return { ok: true, content: sent };
    },
  };
}

function unreadableError(field: Field): FieldError {
  return { code: (field.kind === "text" && field.format) || "type" };
}
