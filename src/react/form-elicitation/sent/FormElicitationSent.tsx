"use client";
import { type ForwardedRef, forwardRef, Fragment, type ReactNode } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { receiptView } from "../../prompt/receipt/PromptReceipt.tsx";
import { isMissed, isOver } from "../../prompt/status-text.ts";
import { drawView, type PartRender } from "../../view.ts";
import { type FilledForm, useFilledForm } from "../context.ts";
import { answerText } from "../field-words.ts";
import { typedTexts } from "../form-state.ts";

/** Longer answers do not stand in the summary. */
const LONGEST_IN_SUMMARY = 40;

/**
 * What was sent, in this session only and without secrets: a summary that opens to all answers. After any other end but a
 * dismissal it opens to what was typed. Renders a `<details>`, a `<p>` with the summary while the answer is held for its
 * round, or nothing when there is nothing to show, for example after a reload.
 */
export const FormElicitationSent = /* @__PURE__ */ forwardRef(function FormElicitationSent(
  props: FormElicitationSentProps,
  ref: ForwardedRef<HTMLElement>,
) {
  return usePartElement(props, ref, sentView(useFilledForm("Sent")));
});

/** `inReceipt`: the receipt is the summary. */
export function sentView(shared: FilledForm, inReceipt = false): PartRender | undefined {
  const { elicitation, catalogue, questions, answers, folded } = shared;
  const { status, action, answer } = elicitation;
  const { fields, secretFields } = questions;
  // On a dismissal the person discarded what was typed.
  if (status === "cancelled" || !(folded || isOver(elicitation))) return undefined;
  // Undefined when it was not sent, or not from here.
  const sent = action === "accept" ? answers.sent : answer?.content;
  const content = sent ?? typedTexts(fields, answers);
  const answered = fields.filter(({ name }) => Object.hasOwn(content, name));
  if (answered.length === 0) return undefined;
  const texts = answered.map((field) =>
    secretFields.includes(field) ? undefined : answerText(field, content[field.name], catalogue),
  );
  // Among other answers, a yes does not say to what.
  const brief = texts.filter(
    (text, index) =>
      text &&
      text.length <= LONGEST_IN_SUMMARY &&
      (answered[index]?.kind !== "boolean" || answered.length === 1),
  );
  const summary = sent && brief.length > 0 ? listed(brief.slice(0, 3)) : catalogue.typed;
  if (folded) return { tag: "p", state: {}, props: { children: summary } };
  const receipt = inReceipt ? receiptView(shared, summary) : undefined;
  const children = (
    <>
      {receipt ? drawView({ ...receipt, tag: "summary" }, "elicit-receipt") : <summary>{summary}</summary>}
      <div>
        <dl>
          {answered.map(({ name, label }, index) => (
            <div key={name}>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{texts[index] ?? catalogue.notShown}</dd>
            </div>
          ))}
        </dl>
        {sent && <small>{catalogue.sentNote}</small>}
      </div>
    </>
  );
  return { tag: "details", state: {}, props: { open: isMissed(elicitation), children } };
}

/** Each text is isolated: a date in Arabic next to a name in Latin letters would change the order of its digits. */
function listed(texts: readonly ReactNode[]): ReactNode {
  return texts.map((text, index) => (
    <Fragment key={index}>
      {index > 0 && ", "}
      <bdi>{text}</bdi>
    </Fragment>
  ));
}

export type FormElicitationSentProps = PartProps<"details", FormElicitationSentState>;
export type FormElicitationSentState = object;
