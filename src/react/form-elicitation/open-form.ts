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
  let place = placeIn(keepsPlace ? saved : undefined);
  // Saved drafts have the defaults too, without those that the user has removed.
  let drafts = saved ?? initialDrafts(fields);
  const save = (): void => {
    const at = place.reached !== 0 && keepsPlace && { [PLACE]: `${place.at} ${place.reached}` };
    // Secrets are kept in memory only. The client learns of the change nevertheless.
    saveDrafts(hasSecrets ? undefined : { ...drafts, ...at });
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

/** The step in saved drafts. */
function placeIn(saved: Drafts | undefined): Place {
  const [, at = 0, reached = 0] = /^(\d{1,3}) (\d{1,3})$/.exec(String(saved?.[PLACE])) ?? [];
  return { at: Number(at), reached: Number(reached) };
}
