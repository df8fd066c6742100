"use client";
import type { ReactElement, ReactNode } from "react";
import type { Field } from "../../form/index.ts";
import { askedBy, namesOf } from "../../form/steps.ts";
import { otherOf } from "../../form/own-words.ts";
import { formHeadingOf } from "../../words/cards/form-heading.ts";
import { isolate } from "../isolate.ts";
import { buttonView } from "../prompt/button-view.ts";
import type { HeadOfStep } from "../prompt/head.tsx";
import { isOver } from "../prompt/status-text.ts";
import { drawView, type PartRender } from "../view.ts";
import type { FilledForm, FormShared } from "./context.ts";
import { formatNumber } from "../../form/number-text.ts";
import { draftText } from "./field-words.ts";
import { type Answers, stateOf } from "./form-state.ts";
import type { Steps } from "./steps.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";

/** There is no space for more dots beside the text. */
const MOST_PIPS = 12;

/** The question of the visible step, the purpose of all questions, and the progress of the user. */
export function stepHead({
  elicitation: { request },
  questions,
  catalogue,
  steps,
  answers,
}: FilledForm): HeadOfStep | undefined {
  if (steps === undefined) return undefined;
  const { at, count, position, isReview: isLast } = steps;
  const field = questions.shown[at];
  const heading = formHeadingOf(request);
  const isOwn = !isThirdParty(request);
  const title = isLast ? position : field && isOwn ? isolate(askedBy(field).text) : undefined;
  const isMessage = heading?.from === "message";
  const about = at > 0 || isMessage ? (heading?.text ?? "") : undefined;
  const numbers = catalogue.outOf(
    formatNumber(Math.min(at + 1, count), catalogue),
    formatNumber(count, catalogue),
  );
  const progress = (
    <span className="elicit-step">
      {count <= MOST_PIPS && pips(steps, questions.shown, answers)}
      <span>{numbers}</span>
    </span>
  );
  return { title, about, progress, showsClaim: at === 0 || isLast };
}

/** A mark for each question: done, wrong, the one that is shown, or still to come. */
function pips({ at, reached }: Steps, shown: readonly Field[], answers: Answers): ReactElement {
  const marks = shown.map((field, index) => {
    const isWrong = namesOf(field).some((name) => stateOf(answers, name).error !== undefined);
    const look = isWrong ? "wrong" : index === at ? "now" : index < reached ? "done" : undefined;
    return <i key={field.name} data-step={look} />;
  });
  return (
    <span className="elicit-pips" aria-hidden="true">
      {marks}
    </span>
  );
}

/** Back and Skip, if they are possible. */
export function stepButtons({ steps, questions, catalogue, elicitation }: FormShared): ReactNode {
  if (steps === undefined) return null;
  const busy = elicitation.status === "submitting";
  const { at, goTo, skip } = steps;
  const back = buttonView(catalogue.back, () => goTo(at - 1), { busy, back: true });
  const isOptional = questions.shown[at]?.required === false;
  return (
    <>
      {at > 0 && drawView(back, "elicit-button")}
      {isOptional && drawView(buttonView(catalogue.skip, skip, { busy }), "elicit-button elicit-quiet")}
    </>
  );
}

/** "No, and …" is shown at the first step and at the review. At other steps, Back and Skip take its space. */
export function hasNoteButton(steps: Steps | undefined): boolean {
  return steps === undefined || steps.at === 0 || steps.isReview;
}

/** Whether the answers are shown instead of a question. */
export function isReview({ steps, elicitation, folded }: FormShared): boolean {
  return steps?.isReview === true && !isOver(elicitation) && !folded && elicitation.status !== "blocked";
}

/** The answers before they are sent. Each is a button back to its question. */
export function reviewView({ questions, answers, catalogue, steps, elicitation }: FilledForm): PartRender {
  const busy = elicitation.status === "submitting";
  const list = questions.shown.map((field, index) => {
    const children = (
      <>
        <small dir="auto">{field.label}</small>
        <span dir="auto">{typedText(field, { answers, catalogue }) ?? catalogue.skipped}</span>
      </>
    );
    const view = buttonView(children, () => steps?.goTo(index), { busy });
    return <li key={field.name}>{drawView(view)}</li>;
  });
  return { tag: "div", state: {}, props: { children: <ul className="elicit-review">{list}</ul> } };
}

/** An answer in the form in which it will be sent. `undefined` for a skipped question. */
function typedText(
  field: Field,
  { answers, catalogue }: Pick<FilledForm, "answers" | "catalogue">,
): string | undefined {
  const words = stateOf(answers, otherOf(field) ?? "").draft;
  if (typeof words === "string" && words.trim() !== "") return words;
  const { draft } = stateOf(answers, field.name);
  if (draft === undefined || (typeof draft === "object" && draft.length === 0) || draft === "")
    return undefined;
  return draftText(field, draft, catalogue);
}
