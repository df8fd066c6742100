/** A property of a requested schema, ready for display and validation. */
export type Field = FieldBase &
  (
    | {
        kind: "text";
        format?: "email" | "uri" | "date" | "date-time" | undefined;
        /** The minimum length, in code points. */
        minLength?: number | undefined;
        /** The maximum length, in code points. */
        maxLength?: number | undefined;
        /** Absent if the pattern is not proven to run in linear time. Then only the server checks it. */
        pattern?: Pattern | undefined;
        /** Whether the schema marks it as a secret: `format: "password"`, or `writeOnly`. */
        secret?: boolean | undefined;
        /** The name of the choice that this free text replaces. */
        otherOf?: string | undefined;
        default?: string | undefined;
      }
    | {
        kind: "number";
        integer: boolean;
        minimum?: number | undefined;
        maximum?: number | undefined;
        /** The minimum itself is not allowed. Only for numbers that need not be integers. */
        excludesMinimum?: boolean | undefined;
        /** The maximum itself is not allowed. */
        excludesMaximum?: boolean | undefined;
        /** The answer is a multiple of this. */
        multipleOf?: number | undefined;
        default?: number | undefined;
      }
    | { kind: "boolean"; default?: boolean | undefined }
    | {
        kind: "choice";
        options: readonly Option[];
        /** The name of the free text that can replace the choice. With `required`, one of both must be answered. */
        other?: string | undefined;
        /** What is sent for an option: its `answer`, or its `value`. */
        default?: string | number | boolean | undefined;
      }
    | {
        kind: "multi-choice";
        options: readonly Option[];
        minItems?: number | undefined;
        maxItems?: number | undefined;
        default?: readonly string[] | undefined;
      }
  );

/** A pattern for a text. A `RegExp` fits this type. */
export interface Pattern {
  test(text: string): boolean;
}

interface FieldBase {
  /** The property name. It can be any string, including `__proto__`. */
  name: string;
  /** The `title`, else the name. */
  label: string;
  description?: string | undefined;
  required: boolean;
  /** The first of the schema's `examples`. */
  placeholder?: string | undefined;
}

/** One option of a select. */
export interface Option {
  /** Identifies the option, and is what is sent for it if there is no `answer`. */
  value: string;
  /** What is sent: a number or a boolean of the schema. */
  answer?: number | boolean | undefined;
  /** The text for the user. */
  label: string;
  description?: string | undefined;
  /** Plain text of at most 2,000 characters, shown in a monospaced font while the option is in focus or chosen. */
  preview?: string | undefined;
}

/** The state of a control: the typed text (also for numbers), the checked state, or the selected values. */
export type Draft = string | boolean | readonly string[];
/** The drafts of a form by field name. A field is absent until the user touches it, unless it has a default. */
export type Drafts = Readonly<Record<string, Draft>>;

/** Why a schema cannot be shown. Without `property`, the reason is about the whole schema. */
export interface SchemaReason {
  code:
    | "not-an-object-schema"
    | "too-large"
    | "too-many-properties"
    | "too-many-options"
    | "unsupported-property"
    | "invalid-keyword";
  property?: string | undefined;
  /** The code, and the keyword or limit that caused it, for developers and logs. */
  message: string;
}

/** Why one value is invalid. Codes are stable. The catalogue provides the texts. */
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
    | "not-above"
    | "not-below"
    | "not-a-multiple"
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
