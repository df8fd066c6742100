import { type BoundElicitation, en } from "elicit-kit";
import { findSecretFields, initialDrafts, validate } from "elicit-kit/form";
import type { Draft, Drafts, Field, FieldErrors } from "elicit-kit/form";
import { type FormEvent, useId, useState } from "react";
import { flushSync } from "react-dom";

/** A form for any schema that a server may send. Render it with `key={elicitation.id}`: each request has its own drafts. */
export function GenericForm({ elicitation }: { elicitation: BoundElicitation }) {
  const { fields = [], fieldErrors, status } = elicitation;
  const [drafts, setDrafts] = useState<Drafts>(() => elicitation.loadDrafts() ?? initialDrafts(fields));
  const [errors, setErrors] = useState<FieldErrors>();
  const [confirmed, setConfirmed] = useState(false);
  const hasSecrets = findSecretFields(fields).length > 0;
  const sending = status === "submitting" || status === "answered";

  function change(name: string, draft: Draft) {
    const next = { ...drafts, [name]: draft };
    setDrafts(next);
    if (!hasSecrets) elicitation.saveDrafts(next);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const checked = validate(fields, drafts);
    flushSync(() => setErrors(checked.ok ? undefined : checked.errors));
    if (checked.ok) void elicitation.accept(checked.content);
    else event.currentTarget.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }

  function errorOf(name: string): string | undefined {
    const error = errors?.[name];
    return error ? en.errors[error.code](String(error.limit ?? "")) : fieldErrors?.[name]?.message;
  }

  return (
    <form onSubmit={submit} noValidate>
      {fields.map((field) => (
        <Question
          key={field.name}
          field={field}
          // A field may have any name, `constructor` too.
          draft={Object.hasOwn(drafts, field.name) ? drafts[field.name] : undefined}
          error={errorOf(field.name)}
          onChange={(draft) => change(field.name, draft)}
        />
      ))}
      {hasSecrets && (
        <label>
          <input type="checkbox" checked={confirmed} onChange={() => setConfirmed(!confirmed)} />
          Share what looks like a password or another secret
        </label>
      )}
      <button disabled={sending || (hasSecrets && !confirmed)}>{sending ? "Sending…" : "Send"}</button>
    </form>
  );
}

interface QuestionProps {
  field: Field;
  draft: Draft | undefined;
  error: string | undefined;
  onChange: (draft: Draft) => void;
}

const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
const TYPES = { email: "email", uri: "url", date: "date", "date-time": "text" };

/** A label, a control, and below it what helps to fill it in. */
function Question({ field, draft, error, onChange }: QuestionProps) {
  const id = useId();
  const attributes = {
    id,
    required: field.required,
    "aria-invalid": error !== undefined,
    "aria-describedby": `${id}-help`,
  };
  const multiple = field.kind === "multi-choice";
  const options = field.kind === "boolean" ? YES_NO : "options" in field ? field.options : undefined;

  const chosen = Array.isArray(draft) ? draft : [];

  function select({ value, selectedOptions }: HTMLSelectElement) {
    if (multiple) onChange(Array.from(selectedOptions, (option) => option.value));
    else onChange(field.kind === "boolean" && value !== "" ? value === "true" : value);
  }

  return (
    <div>
      <label htmlFor={id}>{field.required ? field.label : `${field.label} (optional)`}</label>
      {options ? (
        <select
          {...attributes}
          multiple={multiple}
          value={multiple ? chosen : String(draft ?? "")}
          onChange={(event) => select(event.target)}
        >
          {!multiple && <option value="">Choose…</option>}
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          // A number is typed as text, and `validate` reads it.
          type={field.kind === "text" && field.format ? TYPES[field.format] : "text"}
          inputMode={field.kind === "number" ? "decimal" : undefined}
          placeholder={field.placeholder}
          value={String(draft ?? "")}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p id={`${id}-help`}>{[field.description, error].filter(Boolean).join(" ")}</p>
    </div>
  );
}
