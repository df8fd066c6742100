/** A property of a requested schema, ready to be shown and checked. */
export type Field = FieldBase &
  (
    | {
        kind: "text";
        format?: "email" | "uri" | "date" | "date-time" | undefined;
        /** In code points. */
        minLength?: number | undefined;
        /** In code points. */
        maxLength?: number | undefined;
        /** Absent when the pattern is not proven to run in linear time; then only the server checks it. */
        pattern?: Pattern | undefined;
        /** The schema itself calls it a secret: `format: "password"`, or `writeOnly`. */
        secret?: boolean | undefined;
        /** Name of the choice that this text answers in place of an option. */
        otherOf?: string | undefined;
        default?: string | undefined;
      }
    | {
        kind: "number";
        integer: boolean;
        minimum?: number | undefined;
        maximum?: number | undefined;
        default?: number | undefined;
      }
    | { kind: "boolean"; default?: boolean | undefined }
    | {
        kind: "choice";
        options: readonly Option[];
        /** Name of the text in which the user may answer in their own words. `required` means one of both. */
        other?: string | undefined;
        default?: string | undefined;
      }
    | {
        kind: "multi-choice";
        options: readonly Option[];
        minItems?: number | undefined;
        maxItems?: number | undefined;
        default?: readonly string[] | undefined;
      }
  );

/** What a text must match. A `RegExp` is one. */
export interface Pattern {
  test(text: string): boolean;
}

interface FieldBase {
  /** Property name; any string, `__proto__` too. */
  name: string;
  /** `title`, else the name. */
  label: string;
  description?: string | undefined;
  required: boolean;
  /** From `examples`. */
  placeholder?: string | undefined;
}

/** One choice of a select: what is sent, and what the user reads. */
export interface Option {
  value: string;
  label: string;
  description?: string | undefined;
}

/** The state of a control: the typed text (also for numbers), whether it is checked, or the chosen values. */
export type Draft = string | boolean | readonly string[];
/** The drafts of a form by field name. A field is absent until the user touches it, unless it has a default. */
export type Drafts = Readonly<Record<string, Draft>>;

/** Why a schema cannot be shown. `property` is absent when the whole schema is meant. */
export interface SchemaReason {
  code:
    | "not-an-object-schema"
    | "too-large"
    | "too-many-properties"
    | "too-many-options"
    | "unsupported-property"
    | "invalid-keyword";
  property?: string | undefined;
  /** The code, and the keyword or limit that it is about; for developers and logs. */
  message: string;
}

/** Why one value does not fit. Stable codes; words come from the message catalogue. */
export interface FieldError {
  code:
    | "required"
    | "choose-or-say"
    | "too-short"
    | "too-long"
    | "email"
    | "uri"
    | "date"
    | "date-time"
    | "pattern"
    | "number"
    | "integer"
    | "too-small"
    | "too-large"
    | "not-an-option"
    | "too-few"
    | "too-many"
    | "duplicate"
    | "type"
    | "unknown-field";
  /** The limit that the value breaks. */
  limit?: number | undefined;
}

/** The errors of a form by property name. Empty when there are none. */
export type FieldErrors = Readonly<Record<string, FieldError>>;
