"use client";
import { memo, type ReactNode } from "react";
import type { Field } from "../../form/index.ts";
import { reviewOf } from "../../contract/review.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";
import { otherOf } from "../../form/own-words.ts";
import { isYesNo } from "../../form/steps.ts";
import type { FormElicitationProps } from "../card-props.ts";
import { useSettings } from "../use-settings.ts";
import { waitsForOther } from "../bound-elicitation.ts";
import { useRemaining } from "../use-remaining.ts";
import { useCardHead } from "../prompt/head.tsx";
import { icon } from "../prompt/icon.tsx";
import { useMoreTimeView } from "../prompt/more-time.tsx";
import {
  declineView,
  noticeView,
  receiptView,
  useRemainingView,
  useRetryView,
  warningsView,
} from "../prompt/parts.tsx";
import { isOver } from "../prompt/status-text.ts";
import { drawView } from "../view.ts";
import { noAndView, noteView } from "./decline-note.tsx";
import { type FormShared, type Questions, useAnswers } from "./context.ts";
import { delegateView } from "./delegate.tsx";
import { controlProps, descriptionView, errorView, fieldView, labelView, limitsView } from "./field.tsx";
import { fieldShared } from "./field-shared.tsx";
import { countErrors, type FieldState, stateOf } from "./form-state.ts";
import { errorCountView, fieldsView, secretsWarningView, sentView, submitView, withEnter } from "./parts.tsx";
import { rememberView } from "./remember.tsx";
import { giveOnView, giveToView, remindView, takeBackView, waitsForView } from "./hand-over.tsx";
import { beforeView, reviewRowsView } from "./review.tsx";
import { useFormRoot } from "./root.tsx";
import { hasNoteButton, isReview, reviewView, stepButtons, stepHead } from "./step-views.tsx";

/** The card for a form request: the requester, the message, the questions, the buttons, and at the end the receipt. */
export const FormElicitation = /* @__PURE__ */ memo(function FormElicitation(props: FormElicitationProps) {
  return <FormCard key={props.elicitation.id} {...props} />;
});

/** Renders the views of the parts inline: one component, and one for each question. */
function FormCard(props: FormElicitationProps) {
  const { elicitation } = props;
  const { catalogue, secrets, components, onAskAgain } = useSettings(props);
  const root = useFormRoot({
    elicitation,
    catalogue,
    secrets,
    controls: components?.control,
    onAskAgain,
    hasSteps: true,
  });
  const { shared, view, inForm, question } = root;
  const { questions, messageId, folded, steps, isGiving } = shared;
  const answers = useAnswers(questions.form);
  const filled = { ...shared, answers };
  const retry = useRetryView(shared);
  const left = useRemaining(elicitation);
  const remaining = useRemainingView(shared, left);
  const moreTime = useMoreTimeView(shared, left);
  const waits = waitsForOther(elicitation);
  const { giveOn } = shared.handOver;
  const isDone = folded || isOver(elicitation) || waits;
  const head = useCardHead(
    shared,
    folded ? catalogue.held : undefined,
    isDone ? undefined : stepHead(filled),
  );
  const over = isOver(elicitation);
  const { note } = shared;
  const submit = submitView(shared);
  // The refused step shows the error itself, and the layout does not change.
  const hidesNotice =
    folded || (steps !== undefined && elicitation.fieldErrors !== undefined && countErrors(answers) > 0);
  // While the note is open, Enter in its text field sends it, and the button shows that key.
  const declineKey = note?.isOpen ? { children: withEnter(catalogue.decline) } : undefined;
  const isOnlyWay = submit === undefined && !questions.isPressed;
  const declineLook = isOnlyWay ? " elicit-primary" : steps ? " elicit-quiet elicit-end" : "";
  // Two buttons for a no are enough: "No", and "No, and …", which declines with a comment.
  const rows = reviewRowsView(shared);
  const isReviewed = reviewOf(elicitation.request) !== undefined;
  const isNo =
    hasNoteButton(steps) && !isReviewed && isYesNo(questions.shown) && note?.isOpen === false && !isGiving;
  const warnings = warningsView(shared);
  const fields = isReview(shared)
    ? reviewView(filled)
    : fieldsView(shared, (field, index) => (
        <Question
          key={field.name}
          field={field}
          state={stateOf(answers, field.name)}
          said={stateOf(answers, otherOf(field) ?? "")}
          id={`${messageId}${index}`}
          questions={questions}
        />
      ));
  const content = inForm(
    <>
      {head}
      {warnings !== undefined && (
        <div className="elicit-trust" data-tier="danger">
          {drawView(warnings, "elicit-warnings")}
        </div>
      )}
      {drawView(rows, "elicit-rows")}
      {drawView(fields, "elicit-fields")}
      {answers.secrets !== "none" && drawView(secretsWarningView(filled), "elicit-secrets")}
      {!question && !isGiving && drawView(rememberView(shared), "elicit-remember")}
      {hidesNotice || drawView(noticeView(shared), "elicit-notice")}
      {question ??
        (!over && (
          <div className="elicit-actions">
            {note?.isOpen && drawView(noteView(shared, undefined, "elicit-input"), "elicit-note")}
            {giveOn?.isOpen === true && <GiveTo {...giveOn} id={messageId} />}
            {waits && drawView(waitsForView(shared), "elicit-assigned")}
            {waits && drawView(remindView(shared), "elicit-button")}
            {waits && drawView(takeBackView(shared), "elicit-button elicit-quiet")}
            {folded && (
              <div className="elicit-held">
                {icon("check")}
                {drawView(sentView(filled))}
              </div>
            )}
            {drawView(submit, `elicit-button elicit-${folded ? "quiet" : "primary"}`)}
            {folded || note?.isOpen || isGiving || waits || stepButtons(shared)}
            {drawView(retry, "elicit-button")}
            {folded || isNo || drawView(declineView(shared), `elicit-button${declineLook}`, declineKey)}
            {hasNoteButton(steps) &&
              drawView(delegateView(shared), "elicit-button elicit-quiet elicit-delegate")}
            {note?.isOpen || drawView(remaining, "elicit-muted")}
            {note?.isOpen || drawView(moreTime, "elicit-button elicit-quiet elicit-more-time")}
            {steps !== undefined || note?.isOpen || drawView(errorCountView(filled), "elicit-error-count")}
            {hasNoteButton(steps) && drawView(noAndView(shared), "elicit-button elicit-quiet elicit-no-and")}
            {hasNoteButton(steps) && drawView(giveOnView(shared), "elicit-button elicit-quiet")}
            {!waits && remaining === undefined && keyRange(shared)}
          </div>
        ))}
      {over &&
        ((shared.said === undefined && drawView(sentView(filled, true), "elicit-sent")) ||
          drawView(receiptView(shared), "elicit-receipt"))}
    </>,
  );
  const look = steps && (isThirdParty(elicitation.request) ? "elicit-steps elicit-labelled" : "elicit-steps");
  return drawView(view, look ? `elicit-card ${look}` : "elicit-card", { children: content });
}

/** The list of users and groups to which the form can be passed on. */
function GiveTo({ field, questions, id }: { field: Field; questions: Questions; id: string }) {
  const answers = useAnswers(questions.form);
  const state = stateOf(answers, field.name);
  const children = <Question field={field} state={state} said={state} id={`${id}to`} questions={questions} />;
  return drawView(giveToView(), "elicit-give-to", { children });
}

interface QuestionProps {
  field: Field;
  state: FieldState;
  said: FieldState;
  id: string;
  questions: Questions;
}

/** One question, without hooks, because a long form has many. */
const Question = /* @__PURE__ */ memo(function Question(props: QuestionProps) {
  const { field, state, said, id, questions } = props;
  const shared = fieldShared(field, state, said, id, questions);
  const children = (
    <>
      {drawView(labelView(shared), "elicit-label")}
      {drawView(limitsView(shared), "elicit-limits")}
      {shared.drawControl(controlProps(shared))}
      {beforeView(field, state, questions)}
      {drawView(descriptionView(shared), "elicit-hint")}
      {drawView(errorView(shared), "elicit-error")}
    </>
  );
  return drawView(fieldView(shared), "elicit-field", { children });
});

/**
 * The keys of the only question, such as "1 – 4". Nothing where the user can decline with a note, because that button has
 * the same place.
 */
function keyRange({ questions, note, steps, folded, isGiving, handOver }: FormShared): ReactNode {
  const [field, second] = questions.shown;
  if (field?.kind !== "choice" || second || steps || note || folded || isGiving || handOver.giveOn)
    return null;
  const { layout } = questions.choices.get(field) ?? {};
  const last = Math.min(field.options.length + (field.other === undefined ? 0 : 1), 9);
  if ((layout !== "cards" && layout !== "columns") || last < 2) return null;
  // Each option shows its own key.
  return (
    <span className="elicit-keys elicit-muted" aria-hidden="true">
      <kbd>1</kbd>
      <span> – </span>
      <kbd>{last}</kbd>
    </span>
  );
}
