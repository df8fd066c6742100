"use client";
import { type ForwardedRef, forwardRef, Fragment, type MouseEvent, type ReactNode } from "react";
import type { Field } from "../../form/index.ts";
import { reviewOf } from "../../contract/review.ts";
import { isOwnWords } from "../../form/own-words.ts";
import { askingField } from "../../form/steps.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { formHeadingOf } from "../../words/cards/form-heading.ts";
import { isolate } from "../isolate.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { waitsForOther } from "../bound-elicitation.ts";
import { isRepeated } from "../prompt/button-view.ts";
import { icon } from "../prompt/icon.tsx";
import { AskAgain } from "../prompt/ask-again.tsx";
import { receiptView } from "../prompt/parts.tsx";
import { heldAnswer, isDelegated, isMissed, isOver } from "../prompt/status-text.ts";
import { drawView, type PartRender } from "../view.ts";
import { type FilledForm, filledPart, formPart, type FormShared, useForm } from "./context.ts";
import { answerText } from "./field-words.ts";
import { countErrors, typedTexts } from "./form-state.ts";
import { isThirdParty } from "../../contract/claimed-name.ts";

export function fieldsView(
  { elicitation, questions: { shown }, refused, folded, steps }: FormShared,
  draw: (field: Field, index: number) => ReactNode,
): PartRender | undefined {
  if (isOver(elicitation) || refused || folded || waitsForOther(elicitation)) return undefined;
  if (elicitation.status === "blocked") return undefined;
  return {
    tag: "div",
    state: {},
    props: { children: (steps ? shown.slice(steps.at, steps.at + 1) : shown).map(draw) },
  };
}

/**
 * All questions of the form. `children` renders one question. Renders a `<div>`, or nothing if no question may be
 * answered, or while the answer is held for its round (`Submit` then shows the questions again).
 */
export const FormElicitationFields = /* @__PURE__ */ forwardRef(function FormElicitationFields(
  { children, ...props }: FormElicitationFields.Props,
  ref: ForwardedRef<HTMLDivElement>,
) {
  return usePartElement(props, ref, fieldsView(useForm("Fields"), children));
});
export namespace FormElicitationFields {
  export type Props = Omit<PartProps<"div">, "children"> & {
    /** Renders one question. Its element needs a `key`: the field's name. */
    children: (field: Field) => ReactNode;
  };
}

/** A label with the key that has the same effect. */
export const withEnter = (label: string): ReactNode => (
  <>
    <span>{label}</span>
    {icon("enter")}
  </>
);

function onClick(event: MouseEvent): void {
  if (isRepeated(event)) event.preventDefault();
}

export function submitView({
  elicitation,
  catalogue,
  questions: { fields, isPressed },
  refused,
  folded,
  steps,
  note,
  handOver,
  isGiving,
}: FormShared): PartRender<FormElicitationSubmit.State> | undefined {
  const { status, answer } = elicitation;
  if (isOver(elicitation) || status === "blocked" || waitsForOther(elicitation) || note?.isOpen)
    return undefined;
  if (refused && !isGiving) return undefined;
  // An answer that did not arrive can be sent again, and one that is held can be changed.
  if (isPressed && !isGiving && status === "pending") return undefined;
  const busy = status === "submitting" || (isGiving === true && handOver.busy);
  const isStep = steps !== undefined && !steps.isReview;
  const { approve } = catalogue.approval;
  const isApproval = reviewOf(elicitation.request) !== undefined;
  const yes = isApproval ? { confirm: approve, submit: approve } : catalogue;
  const label = isStep
    ? withEnter(steps.leadsToReview ? catalogue.review : catalogue.next)
    : fields.length === 0
      ? yes.confirm
      : withEnter(yes.submit);
  const again = !isStep && status === "undelivered" && answer.action === "accept" && !answer.delegated;
  const children = isGiving
    ? catalogue.others.give
    : busy
      ? catalogue.submitting
      : folded
        ? catalogue.changeAnswer
        : again
          ? catalogue.retry
          : label;
  const props = { type: "submit", "aria-disabled": busy || undefined, onClick, children };
  return { tag: "button", state: { busy, folded }, props };
}

/**
 * Validates and sends the answers. Enter in a field does the same. While an answer is held for its round, it shows the
 * questions again instead. While the list of `GiveTo` is open, it gives the form to the selected user instead. Renders a
 * `<button>`, or nothing once the request has ended and while `Note` is open.
 */
export const FormElicitationSubmit = /* @__PURE__ */ formPart<"button", FormElicitationSubmit.State>(
  "Submit",
  submitView,
);
export namespace FormElicitationSubmit {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: the answer is being sent. */
    busy: boolean;
    /** `data-folded`: it shows the questions again. */
    folded: boolean;
  }
}

export function errorCountView({
  catalogue,
  answers,
  folded,
  questions,
}: FilledForm): PartRender | undefined {
  const count = countErrors(answers);
  // The only question shows its error itself.
  if (count === 0 || folded || questions.shown.length < 2) return undefined;
  return { tag: "span", state: {}, props: { children: catalogue.errorCount(count) } };
}

/** The number of answers to correct, for a place after the buttons. Renders a `<span>`, or nothing without errors. */
export const FormElicitationErrorCount = /* @__PURE__ */ filledPart<"span">("ErrorCount", errorCountView);
export namespace FormElicitationErrorCount {
  export type Props = PartProps<"span">;
}

export function secretsWarningView({
  elicitation,
  catalogue,
  messageId,
  questions: { form, secretFields },
  answers: { secrets },
  refused,
  folded,
}: FilledForm): PartRender<FormElicitationSecretsWarning.State> | undefined {
  if (secrets === "none" || folded || isOver(elicitation) || waitsForOther(elicitation)) return undefined;
  const names = secretFields.map((field) => field.label).join(", ");
  const missing = secrets === "missing";
  const textId = `${messageId}secrets`;
  const children = (
    <>
      <p>
        {icon("warning")}
        <span id={textId}>{refused ? catalogue.secretsRefused : catalogue.secretsWarning(names)}</span>
      </p>
      {!refused && (
        <label>
          <input
            type="checkbox"
            checked={secrets === "confirmed"}
            aria-describedby={textId}
            aria-invalid={missing || undefined}
            onChange={(event) => form.confirmSecrets(event.currentTarget.checked)}
          />
          <span>{catalogue.secretsConfirm}</span>
        </label>
      )}
    </>
  );
  // The focus moves to `data-confirm` if the confirmation is missing.
  return { tag: "div", state: { refused, missing }, props: { "data-confirm": "", children } };
}

/**
 * Warns that the form asks for secrets, with a checkbox to confirm sharing them, or says that such forms are not allowed.
 * Renders a `<div>`, or nothing for other forms.
 */
export const FormElicitationSecretsWarning = /* @__PURE__ */ filledPart<
  "div",
  FormElicitationSecretsWarning.State
>("SecretsWarning", secretsWarningView);
export namespace FormElicitationSecretsWarning {
  export type Props = PartProps<"div", State>;
  export interface State {
    /** `data-refused`: forms that ask for secrets are not allowed here. */
    refused: boolean;
    /** `data-missing`: it was submitted without the confirmation. */
    missing: boolean;
  }
}

/** Longer answers are not part of the summary. */
const LONGEST_IN_SUMMARY = 40;
const LONGEST_OWN_WORDS = 120;
const MOST_IN_SUMMARY = 4;

/** `inReceipt`: the receipt already shows the summary. */
export function sentView(shared: FilledForm, inReceipt = false): PartRender | undefined {
  const { elicitation, catalogue, questions, answers, folded } = shared;
  const { status, action, answer } = elicitation;
  const { fields, secretFields } = questions;
  const held = heldAnswer(elicitation, catalogue);
  if (folded && held !== undefined) return { tag: "p", state: {}, props: { children: held } };
  // The answer has no content, whatever the user has typed.
  if (isDelegated(elicitation)) return undefined;
  // With a dismissal, the user discarded the input. When the agent asks again, the form has it.
  const isKept = shared.askAgain !== undefined && status === "declined";
  if (status === "cancelled" || isKept || !(folded || isOver(elicitation))) return undefined;
  // `undefined` if the answer was not sent, or not by this client.
  const sent = action === "accept" ? answers.sent : answer?.content;
  const content = sent ?? typedTexts(fields, answers);
  const answered = fields.filter(({ name }) => Object.hasOwn(content, name));
  if (answered.length === 0) return undefined;
  const texts = answered.map((field) =>
    secretFields.includes(field) ? undefined : answerText(field, content[field.name], catalogue),
  );
  const brief = answered.flatMap((field, index) => briefly(field, texts[index], answered, catalogue));
  const hasBrief = sent !== undefined && brief.length > 0;
  const summary = hasBrief ? listed(brief.slice(0, MOST_IN_SUMMARY)) : catalogue.typed;
  if (folded) return { tag: "p", state: {}, props: { children: summary } };
  const subject = hasBrief && status === "accepted" ? subjectOf(shared) : undefined;
  const receipt = inReceipt ? receiptView(shared, { subject, text: summary }) : undefined;
  const children = (
    <>
      {receipt ? drawView({ ...receipt, tag: "summary" }, "elicit-receipt") : <summary>{summary}</summary>}
      <div>
        <dl>
          {answered.map((field, index) => (
            <div key={field.name}>
              <dt dir="auto">{askingField(field, fields).label}</dt>
              <dd dir="auto">{texts[index] ?? catalogue.notShown}</dd>
            </div>
          ))}
        </dl>
        {sent && <small>{catalogue.sentNote}</small>}
        {inReceipt && <AskAgain {...shared} />}
      </div>
    </>
  );
  return { tag: "details", state: {}, props: { open: isMissed(elicitation), children } };
}

/** An answer in the summary. Among several answers, a number or a "yes" needs its label. */
function briefly(
  field: Field,
  text: string | undefined,
  { length: count }: readonly Field[],
  catalogue: Catalogue,
): readonly ReactNode[] {
  if (text === undefined || text === "") return [];
  if (isOwnWords(field)) {
    if (text.length > LONGEST_OWN_WORDS) return [];
    return [
      <Fragment key={field.name}>
        <q>{text}</q>
        <span>{` · ${catalogue.yourWords}`}</span>
      </Fragment>,
    ];
  }
  if (text.length > LONGEST_IN_SUMMARY) return [];
  if (count === 1) return [text];
  if (field.kind === "boolean") return text === catalogue.yes ? [field.label] : [];
  return [field.kind === "number" ? `${catalogue.about(field.label)} ${text}` : text];
}

/** The subject of a form: its own title, or its only question. For a third party it is the kit's default title. */
function subjectOf({ elicitation: { request }, questions, catalogue }: FormShared): string | undefined {
  if (isThirdParty(request)) return undefined;
  const heading = formHeadingOf(request);
  const [first, ...others] = questions.shown;
  const isTitled =
    heading?.from === "review" ||
    (heading !== undefined && typeof request.requestedSchema?.["title"] === "string");
  if (others.length > 0 && !isTitled) return undefined;
  const subject = isolate(heading?.text ?? first?.label ?? "");
  // A question needs no colon.
  return /[\p{L}\p{N}]\u2069?$/u.test(subject) ? catalogue.about(subject) : subject;
}

/** Each text is isolated, because an Arabic date beside a Latin name would change the order of its digits. */
function listed(texts: readonly ReactNode[]): ReactNode {
  return texts.map((text, index) => (
    <Fragment key={index}>
      {index > 0 && <span>{", "}</span>}
      <bdi>{text}</bdi>
    </Fragment>
  ));
}

/**
 * The sent answers, in this session only and without secrets: a summary that expands to all answers. After any other end
 * except a dismissal it expands to the user's input. Renders a `<details>`, a `<p>` with the summary while the answer is
 * held for its round, or nothing if there are no answers to show, for example after a reload.
 */
export const FormElicitationSent = /* @__PURE__ */ filledPart<"details">("Sent", sentView);
export namespace FormElicitationSent {
  export type Props = PartProps<"details">;
}
