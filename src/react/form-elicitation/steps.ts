"use client";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Field } from "../../form/index.ts";
import { namesOf } from "../../form/steps.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { useBrowserLayoutEffect } from "../use-shared.ts";
import type { Announce } from "../prompt/live-region.tsx";
import { errorText } from "../../words/cards/limit-words.ts";
import { questionPosition } from "../prompt/status-text.ts";
import { type FormState, stateOf } from "./form-state.ts";
import type { OpenForm, Place } from "./open-form.ts";

/** The position of the user in a form that asks one question at a time. */
export interface Steps extends Place {
  readonly count: number;
  /** All questions are answered or skipped, and the answers are shown. */
  readonly isReview: boolean;
  /** Whether the step after this one is the review. */
  readonly leadsToReview: boolean;
  /** The number of the current question. */
  readonly position: string;
  readonly goTo: (at: number) => void;
  /** Goes to the next step, if the answer of this one is valid. */
  readonly next: (unreadable: readonly string[]) => void;
  readonly skip: () => void;
}

interface StepsOptions {
  open: OpenForm;
  shown: readonly Field[];
  isOn: boolean;
  catalogue: Catalogue;
  rootRef: RefObject<HTMLElement | null>;
  announce: Announce;
}

/** Moves the focus to the control of each step, and announces the step. `undefined` for a form on one screen. */
export function useSteps({
  open,
  shown,
  isOn,
  catalogue,
  rootRef,
  announce,
}: StepsOptions): Steps | undefined {
  const { form, savePlace } = open;
  const count = shown.length;
  const [place, setPlace] = useState<Place>(() => ({
    at: Math.min(open.place.at, count),
    reached: Math.min(open.place.reached, count),
  }));
  const { at, reached } = place;
  const hasMoved = useRef(false);

  const goTo = useCallback(
    (to: number): void => {
      hasMoved.current = true;
      setPlace((last) => ({ at: to, reached: Math.max(last.reached, to) }));
    },
    [setPlace],
  );
  useEffect(() => {
    if (isOn && hasMoved.current) savePlace(place);
  }, [isOn, place, savePlace]);

  const told = useRef(at);
  // A layout effect: it runs before paint, and after the card has moved the focus from the removed control to itself.
  useBrowserLayoutEffect(() => {
    if (!isOn || !hasMoved.current) return;
    focusStep(rootRef.current);
    if (told.current !== at) announce(positionOf(at, count, catalogue));
    told.current = at;
  }, [isOn, place, at, count, rootRef, announce, catalogue]);

  if (!isOn) return undefined;
  const field = shown[at];
  const next = (): void => goTo(nextOf(place, shown, form));
  return {
    at,
    reached,
    count,
    isReview: field === undefined,
    leadsToReview: at === count - 1 || reached === count,
    position: positionOf(at, count, catalogue),
    goTo,
    next(unreadable) {
      if (field === undefined || form.check(namesOf(field), unreadable)) return next();
      const error = namesOf(field).flatMap((name) => stateOf(form.answers(), name).error ?? [])[0];
      goTo(at);
      if (error !== undefined) announce(errorText(error, field, catalogue));
    },
    skip() {
      if (field !== undefined) form.change(field.name, undefined);
      next();
    },
  };
}

function positionOf(at: number, count: number, catalogue: Catalogue): string {
  if (at === count) return catalogue.readyToSend;
  return questionPosition(at, count, catalogue);
}

/** The next step. Once the review was shown, this is the next invalid answer, or the review. */
function nextOf({ at, reached }: Place, shown: readonly Field[], form: FormState): number {
  if (reached < shown.length) return at + 1;
  const wrong = form.wrong();
  const open = shown.findIndex(
    (field, index) => index !== at && namesOf(field).some((name) => wrong.includes(name)),
  );
  return open === -1 ? shown.length : open;
}

/** Focuses the selected option of a step, else its first control. In the review: the submit button. */
function focusStep(card: HTMLElement | null): void {
  const step = card?.querySelector("[data-field]") ?? undefined;
  const control =
    step?.querySelector<HTMLElement>('[type="radio"]:checked') ??
    step?.querySelector<HTMLElement>(TABBED) ??
    card?.querySelector<HTMLElement>('[type="submit"]');
  control?.focus();
}

/** Controls that Tab reaches. The buttons of a number are not among them: Enter would change the number. */
export const TABBED = 'input, select, textarea, button:not([tabindex]), [tabindex="0"]';
