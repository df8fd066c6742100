"use client";
import { type ForwardedRef, forwardRef, type ReactNode, useEffect, useState } from "react";
import type { ElicitationNotice, Proposal, ElicitationStatus } from "../../client/elicitation.ts";
import type { UrlTier } from "../../contract/inspect-url.ts";
import { waitsForOther } from "../bound-elicitation.ts";
import { isolate } from "../isolate.ts";
import { type PartProps, usePartElement } from "../part.ts";
import { useNextTry, useRemaining } from "../use-remaining.ts";
import type { PartRender } from "../view.ts";
import { buttonView } from "./button-view.ts";
import { promptPart, type PromptShared, usePrompt } from "./context.ts";
import { type IconName, withIcon } from "./icon.tsx";
import { type Told, isGivenOn, isOver, noticeOf, receiptOf } from "./status-text.ts";
import { restOf } from "./more-time.tsx";
import { inMinutes } from "../../words/language.ts";
import { AskNextTime, AskAgain } from "./ask-again.tsx";

interface Warning {
  tier: UrlTier;
  sentence: string;
  /** The reasons, below the sentence. */
  details: readonly string[];
}

export function warningsView(
  shared: PromptShared,
  notes = false,
): PartRender<PromptWarnings.State> | undefined {
  const found = isOver(shared.elicitation) ? [] : warnings(shared, notes);
  if (found.length === 0) return undefined;
  const children = found.map(({ tier, sentence, details }) => (
    <li key={sentence} data-tier={tier}>
      {withIcon(tier === "danger" ? "alert" : "warning", sentence)}
      {details.map((detail) => (
        <small key={detail}>{detail}</small>
      ))}
    </li>
  ));
  return {
    tag: "ul",
    state: { blocked: shared.elicitation.blocked !== undefined || shared.url?.verdict === "block" },
    props: { children },
  };
}

function warnings({ elicitation: { blocked }, catalogue, url }: PromptShared, notes: boolean): Warning[] {
  if (blocked?.kind === "schema") {
    const details = blocked.reasons.map(({ code, property }) => {
      const reason = catalogue.schemaReasons[code];
      return property === undefined ? reason : catalogue.aboutQuestion(isolate(property), reason);
    });
    return [{ tier: "danger", sentence: catalogue.blockedForm, details }];
  }
  if (url === undefined || (url.tier === "note" && !notes)) return [];
  const { tier, imitates, verdict } = url;
  const sentences = url.reasons
    // If the name imitates another one, the warning that it is international is redundant.
    .filter((reason) => tier !== "danger" || reason !== "punycode")
    .map((reason) => catalogue.urlReasons[reason]);
  const headline =
    verdict === "block" ? catalogue.blockedUrl : imitates && catalogue.imitates(isolate(imitates));
  if (headline !== undefined) return [{ tier, sentence: headline, details: sentences }];
  return sentences.map((sentence) => ({ tier, sentence, details: [] }));
}

/**
 * Warnings before a decision, or why the request is blocked. A note, such as an address of this machine, is shown in
 * `ConnectPromptParts.Url`. `notes` shows it here, for cards without that part. Renders a `<ul>`, or nothing without
 * warnings.
 */
export const PromptWarnings = /* @__PURE__ */ forwardRef(function PromptWarnings(
  { notes, ...props }: PromptWarnings.Props,
  ref: ForwardedRef<HTMLUListElement>,
) {
  return usePartElement(props, ref, warningsView(usePrompt("Warnings"), notes));
});
export namespace PromptWarnings {
  export type Props = PartProps<"ul", State> & {
    /** Also shows notes, which are facts and not warnings. @default false */
    notes?: boolean | undefined;
  };
  export interface State {
    /** `data-blocked`: the request is blocked, and can only be declined or dismissed. */
    blocked: boolean;
  }
}

const NOTICE_ICONS: Readonly<Record<string, IconName>> = {
  held: "clock",
  asking: "clock",
  "too-soon": "clock",
  filled: "check",
  reminded: "check",
  given: "check",
};

export function noticeView({
  elicitation,
  catalogue,
  told: handedOver,
}: PromptShared): PartRender<PromptNotice.State> | undefined {
  const told: Told | undefined = isOver(elicitation)
    ? undefined
    : (handedOver ?? noticeOf(elicitation, catalogue));
  if (told === undefined) return undefined;
  const { status, proposal } = elicitation;
  const notice =
    handedOver?.notice ?? (status === "answered" ? "held" : (elicitation.notice?.code ?? proposal?.state));
  const byUser = elicitation.notice?.byUser === true;
  const children = withIcon(
    byUser ? "no" : (NOTICE_ICONS[notice ?? ""] ?? "alert"),
    `${told.sentence} `,
    told.detail && <q>{told.detail}</q>,
  );
  return { tag: "p", state: { notice, byUser }, props: { children } };
}

/** The last problem, or that the answer is held. Renders a `<p>`, or nothing without a notice. */
export const PromptNotice = /* @__PURE__ */ promptPart<"p", PromptNotice.State>("Notice", noticeView);
export namespace PromptNotice {
  export type Props = PartProps<"p", State>;
  export interface State {
    /**
     * `data-notice`: its code, or `held` if the answer is held for its round, or the result of a sentence of the user,
     * of a reminder, or of passing the question on.
     */
    notice:
      | ElicitationNotice["code"]
      | "held"
      | Proposal["state"]
      | NonNullable<PromptShared["told"]>["notice"]
      | undefined;
    /** `data-byuser`: the user has cancelled at the provider, which is no fault. */
    byUser: boolean;
  }
}

/** `left`: the result of `useRemaining`, which a card reads once for all its views. */
export function useRemainingView(
  { elicitation, catalogue, announce }: PromptShared,
  left: number | undefined,
): PartRender | undefined {
  const untilTry = useNextTry(elicitation);
  const short = left !== undefined;
  // Announced once, because every second would be too often.
  useEffect(() => {
    if (short) announce(catalogue.underTwoMinutes);
  }, [short, announce, catalogue]);
  const until = left ?? untilTry;
  if (until === undefined) return undefined;
  const seconds = Math.ceil(until / 1_000);
  const words = short
    ? catalogue.timeLeft(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`)
    : catalogue.nextTry(String(Math.max(1, seconds)));
  const rest = short ? restOf(elicitation) : 0;
  // Before the last press, the user reads that it is the last one.
  const isNearlyLast = rest > 0 && rest <= NEARLY_LAST_MS;
  const limit = isNearlyLast && catalogue.endsAtLatest(inMinutes(until + rest, catalogue.locale));
  return {
    tag: "span",
    state: {},
    props: { role: "timer", children: limit ? `${words} · ${limit}` : words },
  };
}

const NEARLY_LAST_MS = 10 * 60_000;

/**
 * The remaining time if it is under two minutes, else the seconds until an undelivered answer is retried. Renders a
 * `<span role="timer">`, or nothing.
 */
export const PromptRemaining = /* @__PURE__ */ promptPart<"span">("Remaining", (shared) =>
  useRemainingView(shared, useRemaining(shared.elicitation)),
);
export namespace PromptRemaining {
  export type Props = PartProps<"span">;
}

const ICONS: Partial<Record<ElicitationStatus, IconName>> = {
  accepted: "done",
  expired: "clock",
  withdrawn: "back",
  failed: "alert",
};

/** The answer and its subject. Without a `subject`, it continues the sentence. */
interface ReceiptAnswer {
  subject: string | undefined;
  text: ReactNode;
}

export function receiptView(
  { elicitation, catalogue, askAgain, said }: PromptShared,
  answer?: ReceiptAnswer,
): PartRender<PromptReceipt.State> | undefined {
  const receipt = receiptOf(elicitation, catalogue);
  if (receipt === undefined) return undefined;
  const { status } = elicitation;
  const quote = said !== undefined ? <q>{said}</q> : undefined;
  const { subject, text = quote } = answer ?? {};
  const about = answer && status === "accepted" ? undefined : receipt.about;
  const children = withIcon(
    isGivenOn(elicitation) ? "people" : (ICONS[status] ?? "no"),
    <strong>{subject ?? receipt.sentence}</strong>,
    about && " · ",
    about && <bdi>{about}</bdi>,
    receipt.detail && " · ",
    receipt.detail && <bdi>{receipt.detail}</bdi>,
    text && (subject === undefined ? " · " : " "),
    text,
    elicitation.canRemember === true && elicitation.request.resolution?.remembered !== undefined && (
      <AskNextTime elicitation={elicitation} catalogue={catalogue} />
    ),
    answer === undefined && <AskAgain elicitation={elicitation} catalogue={catalogue} askAgain={askAgain} />,
  );
  return { tag: "p", state: { status }, props: { children } };
}

/**
 * The outcome of the request, and without a yes the button "Ask again" if the app has a way to the agent. Renders a `<p>`, or nothing
 * while the request is open.
 */
export const PromptReceipt = /* @__PURE__ */ promptPart<"p", PromptReceipt.State>("Receipt", receiptView);
export namespace PromptReceipt {
  export type Props = PartProps<"p", State>;
  export interface State {
    /** `data-status`: the outcome, or `gone`. */
    status: ElicitationStatus;
  }
}

export function useRetryView({
  elicitation: { request, status, answer, retry },
  catalogue,
}: PromptShared): PartRender<PromptRetry.State> | undefined {
  const busy = status === "submitting";
  const [again, setAgain] = useState(false);
  if (again !== (status === "undelivered") && !busy) setAgain(!again);
  // The submit button of a form sends its answer again, with later changes.
  if (request.mode === "form" && answer?.action === "accept" && !answer.delegated) return undefined;
  // Stays while the answer is being sent, because a button that disappears loses the focus.
  return again && (busy || status === "undelivered")
    ? buttonView(catalogue.retry, retry, { busy })
    : undefined;
}

/** Retries an undelivered answer. Renders a `<button>`, or nothing if there is none. */
export const PromptRetry = /* @__PURE__ */ promptPart<"button", PromptRetry.State>("Retry", useRetryView);
export namespace PromptRetry {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: the answer is being sent. */
    busy: boolean;
  }
}

export function declineView({
  elicitation,
  catalogue,
  decline,
  isGiving,
}: PromptShared): PartRender<PromptDecline.State> | undefined {
  if (isOver(elicitation) || waitsForOther(elicitation) || isGiving) return undefined;
  return buttonView(catalogue.decline, () => decline(), { busy: elicitation.status === "submitting" });
}

/** Declines the request: an explicit no. Renders a `<button>`, or nothing once the request has ended. */
export const PromptDecline = /* @__PURE__ */ promptPart<"button", PromptDecline.State>(
  "Decline",
  declineView,
);
export namespace PromptDecline {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}

export function dismissView({
  elicitation,
  catalogue,
  dismiss,
}: PromptShared): PartRender<PromptDismiss.State> | undefined {
  if (isOver(elicitation) || waitsForOther(elicitation)) return undefined;
  // Once a page was opened, dismissing means more than "not now".
  const label = elicitation.window === undefined ? catalogue.dismiss : catalogue.cancel;
  return buttonView(label, dismiss, { busy: elicitation.status === "submitting" });
}

/**
 * Dismisses the request without a decision, as Escape does, after a confirmation if there is user input. Renders a
 * `<button>`, or nothing once the request has ended.
 */
export const PromptDismiss = /* @__PURE__ */ promptPart<"button", PromptDismiss.State>(
  "Dismiss",
  dismissView,
);
export namespace PromptDismiss {
  export type Props = PartProps<"button", State>;
  export interface State {
    /** `data-busy`: an answer is being sent. */
    busy: boolean;
  }
}
