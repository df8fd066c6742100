import { type Drafts, findSecretFields, initialDrafts } from "../../form/index.ts";
import { sendsOnPress } from "../../form/hints.ts";
import { type PresentedForm, presentForm } from "../../form/present-field.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { createFormState, type FormState } from "./form-state.ts";

/** The state of one form while the user fills it in. */
export interface OpenForm extends PresentedForm {
  form: FormState;
  /** The step at which a form that asks one question at a time continues. */
  place: Place;
  readonly savePlace: (place: Place) => void;
}

/** A step: its index, or the number of questions for the review after them. */
export interface Place {
  readonly at: number;
  /** The furthest step that was shown. */
  readonly reached: number;
}

/**
 * The name under which the step is kept with the drafts. A form with a property of this name restarts at its first
 * question.
 */
const PLACE = "elicit-kit place";

/** Creates a form with the defaults, or with the input from before a reload. */
export function openForm({
  fields = [],
  request,
  proposal,
  loadDrafts,
  saveDrafts,
}: BoundElicitation): OpenForm {
  const secretFields = findSecretFields(fields, request.message);
  const hasSecrets = secretFields.length > 0;
  const keepsPlace = !hasSecrets && !fields.some(({ name }) => name === PLACE);
  const saved = hasSecrets ? undefined : loadDrafts();
  let place = keepsPlace ? placeIn(saved) : START;
  let drafts = merge(initialDrafts(fields), saved);
  const save = (): void => {
    const at = place.reached === 0 || !keepsPlace ? [] : [[PLACE, `${place.at} ${place.reached}`] as const];
    // Secrets are kept in memory only.
    if (!hasSecrets) saveDrafts(merge(drafts, Object.fromEntries(at)));
  };
  const form = createFormState({
    fields,
    hasSecrets,
    drafts,
    // Without stored drafts, the proposal is filled in again.
    proposed: saved && proposal?.content,
    onChange: (changed) => {
      drafts = changed;
      save();
    },
  });
  return {
    ...presentForm({
      fields,
      secretFields,
      context: request.context,
      isPressed: sendsOnPress(fields, request),
    }),
    form,
    place,
    savePlace(next) {
      place = next;
      save();
    },
  };
}

const START: Place = { at: 0, reached: 0 };

/** Removes the step from saved drafts, and returns it. */
function placeIn(saved: Drafts | undefined): Place {
  const text = saved !== undefined && Object.hasOwn(saved, PLACE) ? saved[PLACE] : undefined;
  const [at = 0, reached = 0] =
    typeof text === "string" && /^\d{1,3} \d{1,3}$/.test(text) ? text.split(" ").map(Number) : [];
  return { at, reached };
}

/** Built from entries, so that a field may be named `__proto__`. */
function merge(defaults: Drafts, saved: Drafts = {}): Drafts {
  return Object.fromEntries([...Object.entries(defaults), ...Object.entries(saved)]);
}
