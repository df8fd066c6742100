import { type Drafts, type Field, findSecretFields, initialDrafts } from "../../form/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { createFormState, type FormState } from "./form-state.ts";

/** One form while it is filled in. */
export interface OpenForm {
  fields: readonly Field[];
  secretFields: readonly Field[];
  form: FormState;
}

const NO_FIELDS: readonly Field[] = [];

/** Starts with the defaults, or with what was typed before a reload. */
export function openForm({
  fields = NO_FIELDS,
  request,
  loadDrafts,
  saveDrafts,
}: BoundElicitation): OpenForm {
  const secretFields = findSecretFields(fields, request.message);
  const hasSecrets = secretFields.length > 0;
  const saved = hasSecrets ? undefined : loadDrafts();
  const form = createFormState({
    fields,
    hasSecrets,
    drafts: merge(initialDrafts(fields), saved),
    // Secrets are kept in memory only.
    onChange: (drafts) => hasSecrets || saveDrafts(drafts),
  });
  return { fields, secretFields, form };
}

/** By entries, so that a field may be named `__proto__`. */
function merge(defaults: Drafts, saved: Drafts = {}): Drafts {
  return Object.fromEntries([...Object.entries(defaults), ...Object.entries(saved)]);
}
