import { type Draft, type Drafts, type Field, initialDrafts, validate } from "../../form/index.ts";
import type { FieldError } from "../../form/field.ts";
import { toDraft, validateField } from "../../form/validate.ts";
import { otherOf } from "../../form/own-words.ts";
import type { ElicitationContent } from "../../contract/contract.ts";
import { createListeners } from "../../client/listeners.ts";

/** The value of one field and its error. The same object until one of them changes. */
export interface FieldState {
  readonly draft: Draft | undefined;
  /** Shown after the first blur that follows a change, or after the first submit. */
  readonly error: ShownError | undefined;
  /** The value was read from a sentence of the user, and has not been changed since. */
  readonly proposed?: boolean | undefined;
  /** What a sentence of the user says, if they had typed another value. They choose one of the two. */
  readonly instead?: Draft | undefined;
}

/** An error that was found here, or by the server, whose code may be unknown to this version. */
export type ShownError = FieldError | { code: string; message: string };

export type SubmitResult =
  | { ok: true; content: ElicitationContent }
  /** `field` is the first one to correct. Absent if only the confirmation of secrets is missing. */
  | { ok: false; field?: string | undefined };

export interface FormStateOptions {
  fields: readonly Field[];
  drafts: Drafts;
  /** The form asks for secrets, and the user must confirm separately to share them. */
  hasSecrets: boolean;
  /** The last proposal. If a form has filled it in, `drafts` contains the user's corrections. */
  proposed?: ElicitationContent | undefined;
  onChange: (drafts: Drafts) => void;
}

/** The values of a form at one moment. Immutable: each change creates a new object. */
export interface Answers {
  /** The states by field name; see `stateOf`. */
  readonly states: ReadonlyMap<string, FieldState>;
  /** Whether the form asks for secrets, and whether sharing them is confirmed. `missing` after a submit without it. */
  readonly secrets: "none" | "unconfirmed" | "missing" | "confirmed";
  /** The content of the last submit without errors. */
  readonly sent: ElicitationContent | undefined;
}

/** The answers of one form, and the functions that change them. */
export interface FormState {
  readonly subscribe: (listener: () => void) => () => void;
  readonly answers: () => Answers;
  /** The last value of a field that the user has not typed into its control now: default, proposal or stored draft. */
  readonly given: (name: string) => Draft | undefined;
  /** Sets a value. `undefined` resets it to untouched. */
  readonly change: (name: string, draft: Draft | undefined) => void;
  /** Fills in fields that the user has not typed into. In others, notes what differs. Returns the names of both. */
  readonly propose: (content: ElicitationContent) => {
    readonly filled: readonly string[];
    readonly differing: readonly string[];
  };
  /** Takes or drops the value that differs from what the user had typed. */
  readonly settle: (name: string, choice: "use" | "keep") => void;
  /** Call it when the focus has left the field. */
  readonly blur: (name: string) => void;
  /** Shows the server's errors. Returns the name of the first field that has one. */
  readonly refuse: (
    errors: Readonly<Record<string, { code: string; message: string }>>,
  ) => string | undefined;
  /** Shows the errors of the fields with these names. Returns whether there are none. */
  readonly check: (names: readonly string[], unreadable: readonly string[]) => boolean;
  /** The names of the fields that a submit would refuse now. */
  readonly wrong: () => readonly string[];
  readonly confirmSecrets: (confirmed: boolean) => void;
  /** `unreadable` are names of fields whose input has no valid value yet, such as half a date. */
  readonly submit: (unreadable?: readonly string[]) => SubmitResult;
}

/** Proposals that were filled in, over all forms of the page, because a card that mounts again has a new form. */
const filledIn = new WeakSet<ElicitationContent>();

const UNTOUCHED: FieldState = { draft: undefined, error: undefined };

/** The state of one field. The same object until it changes. */
export function stateOf({ states }: Answers, name: string): FieldState {
  return states.get(name) ?? UNTOUCHED;
}

export function countErrors({ states }: Answers): number {
  return [...states.values()].filter(({ error }) => error !== undefined).length;
}

/** Whether a dismissal would lose user input. */
export function holdsTyping(fields: readonly Field[], answers: Answers): boolean {
  return fields.some(({ name, default: initial }) => {
    const { draft = "" } = stateOf(answers, name);
    return draft !== false && String(draft) !== "" && String(draft) !== String(initial ?? "");
  });
}

/** The texts and numbers that the user has typed, by field. Empty for forms that ask for secrets. */
export function typedTexts(fields: readonly Field[], answers: Answers): Readonly<Record<string, string>> {
  if (answers.secrets !== "none") return {};
  const typed = fields.flatMap(({ name, kind, default: initial }) => {
    const { draft = "" } = stateOf(answers, name);
    const isText = typeof draft === "string" && (kind === "text" || kind === "number");
    return !isText || draft === "" || draft === String(initial) ? [] : [[name, draft] as const];
  });
  return Object.fromEntries(typed);
}

export function createFormState({
  fields,
  drafts,
  hasSecrets,
  proposed,
  onChange,
}: FormStateOptions): FormState {
  let done = proposed !== undefined && filledIn.has(proposed) ? proposed : undefined;
  const listeners = createListeners();
  const changed = new Set<string>();
  /** The values that the user has not typed: the defaults, and the proposal. */
  const given = new Map<string, Draft>(Object.entries(initialDrafts(fields)));
  /** What each control has shown without the user's typing. Also drafts from before a reload. */
  const shown = new Map<string, Draft>(Object.entries(drafts));
  let answers: Answers = {
    states: new Map(Object.entries(drafts).map(([name, draft]) => [name, { draft, error: undefined }])),
    secrets: hasSecrets ? "unconfirmed" : "none",
    sent: undefined,
  };
  function update(changes: Partial<Answers>): void {
    answers = { ...answers, ...changes };
    listeners.tell();
  }

  const find = (name: string): Field | undefined => fields.find((field) => field.name === name);

  /** Returns the states with other errors: the same object if nothing changes. A field that is not named has no error. */
  function withErrors(errors: ReadonlyMap<string, ShownError>): Answers["states"] {
    const changes = fields.flatMap(({ name }) => {
      const state = stateOf(answers, name);
      const error = errors.get(name);
      return state.error === error ? [] : [[name, { ...state, error }] as const];
    });
    return changes.length === 0 ? answers.states : new Map([...answers.states, ...changes]);
  }

  function withState(name: string, state: FieldState): Answers["states"] {
    return new Map(answers.states).set(name, state);
  }

  /** Built from entries, so that a field may be named `__proto__`. */
  function currentDrafts(): Drafts {
    const entries = [...answers.states].flatMap(([name, { draft }]) =>
      draft === undefined ? [] : [[name, draft] as const],
    );
    return Object.fromEntries(entries);
  }

  /** The errors of `validate`, and those of inputs without a valid value. */
  function errorsNow(unreadable: readonly string[]): ReadonlyMap<string, FieldError> {
    const result = validate(fields, currentDrafts());
    const errors = new Map<string, FieldError>(result.ok ? [] : Object.entries(result.errors));
    for (const field of fields) {
      if (unreadable.includes(field.name)) errors.set(field.name, unreadableError(field));
    }
    return errors;
  }

  /** What a sentence has filled in, and where it says something else. */
  function outcomeOf(content: ElicitationContent): ReturnType<FormState["propose"]> {
    const isFilled = (field: Field): boolean =>
      isSame(said(content, field), stateOf(answers, field.name).draft);
    return {
      filled: fields.filter(isFilled).map(({ name }) => name),
      differing: fields
        .filter(({ name }) => stateOf(answers, name).instead !== undefined)
        .map(({ name }) => name),
    };
  }

  return {
    subscribe: (listener) => listeners.add(listener),
    answers: () => answers,
    given: (name) => shown.get(name),
    change(name, draft) {
      const field = find(name);
      if (field === undefined) return;
      changed.add(name);
      // A visible error disappears as soon as it is corrected. A new one appears on blur.
      const error = stateOf(answers, name).error && validateField(field, draft);
      const states = new Map(answers.states).set(name, { draft, error });
      // A choice and its free text replace each other.
      const instead = insteadOf(field);
      if (instead !== undefined && draft !== undefined && draft !== "") {
        states.set(instead, UNTOUCHED);
      }
      update({ states });
      onChange(currentDrafts());
    },
    propose(content) {
      if (hasSecrets) return { filled: [], differing: [] };
      if (content === done) return outcomeOf(content);
      filledIn.add(content);
      done = content;
      const isFree = (name: string): boolean => {
        const { draft = "" } = stateOf(answers, name);
        return String(draft) === "" || String(draft) === String(given.get(name) ?? "");
      };
      const states = new Map(answers.states);
      const filled: string[] = [];
      for (const field of fields) {
        const { name } = field;
        const { instead: _, ...state } = stateOf(answers, name);
        const draft = said(content, field);
        const other = insteadOf(field);
        if (states.has(name)) states.set(name, state);
        if (draft === undefined || isSame(draft, state.draft)) continue;
        if (!isFree(name) || (other !== undefined && !isFree(other))) {
          states.set(name, { ...state, instead: draft });
          continue;
        }
        given.set(name, draft);
        shown.set(name, draft);
        states.set(name, { draft, error: undefined, proposed: true });
        if (other !== undefined) states.set(other, UNTOUCHED);
        filled.push(name);
      }
      update({ states });
      onChange(currentDrafts());
      return { ...outcomeOf(content), filled };
    },
    settle(name, choice) {
      const { instead, ...state } = stateOf(answers, name);
      const field = find(name);
      if (instead === undefined || field === undefined) return;
      if (choice === "keep") return update({ states: withState(name, state) });
      const other = insteadOf(field);
      const states = new Map(withState(name, { draft: instead, error: undefined, proposed: true }));
      if (other !== undefined) states.set(other, UNTOUCHED);
      given.set(name, instead);
      shown.set(name, instead);
      update({ states });
      onChange(currentDrafts());
    },
    blur(name) {
      const field = find(name);
      // An unchanged value keeps its error, which may come from the server.
      if (field === undefined || !changed.delete(name)) return;
      const { draft } = stateOf(answers, name);
      update({ states: withState(name, { draft, error: validateField(field, draft) }) });
    },
    refuse(errors) {
      const byName = new Map(Object.entries(errors));
      update({ states: withErrors(byName) });
      return fields.find(({ name }) => byName.has(name))?.name;
    },
    check(names, unreadable) {
      const errors = errorsNow(unreadable);
      const states = new Map(answers.states);
      for (const name of names) {
        changed.delete(name);
        states.set(name, { ...stateOf(answers, name), error: errors.get(name) });
      }
      update({ states });
      return !names.some((name) => errors.has(name));
    },
    wrong: () => [...errorsNow([]).keys()],
    confirmSecrets: (confirmed) => update({ secrets: confirmed ? "confirmed" : "unconfirmed" }),
    submit(unreadable = []) {
      const result = validate(fields, currentDrafts());
      const errors = errorsNow(unreadable);
      changed.clear();
      const secrets = answers.secrets === "unconfirmed" ? "missing" : answers.secrets;
      const isComplete = result.ok && errors.size === 0;
      const sent = isComplete && secrets !== "missing" ? result.content : answers.sent;
      const states = withErrors(errors);
      // The item changes with the answer, and then its card draws what was sent.
      if (states === answers.states && secrets === answers.secrets) answers = { ...answers, sent };
      else update({ states, secrets, sent });
      if (!isComplete) return { ok: false, field: fields.find(({ name }) => errors.has(name))?.name };
      return secrets === "missing" ? { ok: false } : { ok: true, content: result.content };
    },
  };
}

/** The value that a sentence of the user has for a field. */
function said(content: ElicitationContent, field: Field): Draft | undefined {
  const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
  return value === undefined ? undefined : toDraft(field, value);
}

function isSame(draft: Draft | undefined, other: Draft | undefined): boolean {
  return draft !== undefined && other !== undefined && String(draft) === String(other);
}

/** The field whose answer this one replaces: a choice, or the free text beside it. */
function insteadOf(field: Field): string | undefined {
  return field.kind === "text" ? field.otherOf : otherOf(field);
}

function unreadableError(field: Field): FieldError {
  return { code: (field.kind === "text" && field.format) || "type" };
}
