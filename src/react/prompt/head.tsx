"use client";
import { type ReactElement, type ReactNode, useCallback, useState } from "react";
import type { ElicitationMode } from "../../contract/contract.ts";
import { directionOf, isolate, startsRightToLeft } from "../isolate.ts";
import { reviewOf } from "../../contract/review.ts";
import type { PartProps } from "../part.ts";
import { drawView, type PartRender } from "../view.ts";
import { promptPart, type PromptShared } from "./context.ts";
import { useCarry } from "./carry.tsx";
import { icon, withIcon } from "./icon.tsx";
import { dismissView } from "./parts.tsx";
import { isMessageTitle, isOver, titleText } from "./status-text.ts";

/** The limit for the whole `data:` URL, in characters: 8 KiB in Base64, with its prefix. */
const LONGEST_ICON = 11_200;

export function useTileView({ elicitation: { request } }: Pick<PromptShared, "elicitation">): PartRender {
  const service = request.mode === "url" ? request.service : undefined;
  const iconDataUrl = service?.iconDataUrl ?? "";
  const [refused, setRefused] = useState<string>();
  const shown =
    iconDataUrl !== refused && iconDataUrl.startsWith("data:image/") && iconDataUrl.length <= LONGEST_ICON;
  // `onError` is not used, because the error happens before a server-rendered page is hydrated. It also happens where
  // `img-src` forbids `data:`. Use the same function on each render: React calls a new one again, and the image would be
  // decoded again.
  const check = useCallback(
    (image: HTMLImageElement | null): void =>
      void image?.decode?.().catch(() => {
        if (image.isConnected) setRefused(iconDataUrl);
      }),
    [iconDataUrl],
  );
  // Forms have no service, and a Unicode property takes time to compile.
  const letter = service && /[\p{L}\p{N}]/u.exec(service.name)?.[0].toUpperCase();
  // Two users are involved: one asks, and the other decides.
  const isOfTwo = request.from !== undefined || request.assignee !== undefined;
  const sign: ReactNode = letter ?? icon(isOfTwo ? "people" : request.mode === "form" ? "form" : "link");
  const children = shown ? <img alt="" src={iconDataUrl} ref={check} /> : sign;
  return { tag: "span", state: {}, props: { "aria-hidden": true, translate: "no", children } };
}

/**
 * The icon of the connected service. If it has none that can be shown: its first letter, or a sign for the kind of
 * request. It is decorative and hidden from assistive technology. Renders a `<span>`.
 */
export const PromptTile = /* @__PURE__ */ promptPart<"span">("Tile", useTileView);
export namespace PromptTile {
  export type Props = PartProps<"span">;
}

function titleView(
  { elicitation, catalogue, titleRef, messageId }: PromptShared,
  step?: HeadOfStep,
): PartRender<PromptTitle.State> {
  const { mode } = elicitation.request;
  const title = step?.title ?? titleText(elicitation, catalogue);
  // Without `bdi`, the question mark of a title in another direction would be at the wrong end.
  const children = directionOf(title, catalogue.dir) ? <bdi>{title}</bdi> : title;
  // A receipt does not show the message.
  const describedBy =
    isOver(elicitation) || (step === undefined && isMessageTitle(elicitation)) ? undefined : messageId;
  return {
    tag: "h3",
    ref: titleRef,
    state: { mode },
    props: { tabIndex: -1, "aria-describedby": describedBy, children },
  };
}

/**
 * The heading of the card: the service to connect, or the title of the form (its own, or a short message). Takes the
 * focus when the card appears. Renders an `<h3>`.
 */
export const PromptTitle = /* @__PURE__ */ promptPart<"h3", PromptTitle.State>("Title", (shared) =>
  titleView(shared),
);
export namespace PromptTitle {
  export type Props = PartProps<"h3", State>;
  export interface State {
    /** `data-mode`: `url` or `form`. */
    mode: ElicitationMode;
  }
}

function requesterView({ elicitation, catalogue }: PromptShared): PartRender | undefined {
  const { requester, from } = elicitation.request;
  const name = requester?.name;
  if (from !== undefined) {
    const children = (
      <>
        <b>{catalogue.others.from(isolate(from.name))}</b>
        {name !== undefined && <span>{` · ${isolate(name)}`}</span>}
      </>
    );
    return { tag: "p", state: {}, props: { children } };
  }
  if (name === undefined) return undefined;
  return { tag: "p", state: {}, props: { dir: directionOf(name, catalogue.dir), children: isolate(name) } };
}

/**
 * The requester: the name that the operator of the chat's server has set, preceded by the name of the other user if
 * their agent asks. A third party's own name is in `Claim`. Renders a `<p>`, or nothing.
 */
export const PromptRequester = /* @__PURE__ */ promptPart<"p">("Requester", requesterView);
export namespace PromptRequester {
  export type Props = PartProps<"p">;
}

/** The limit in UTF-16 units. */
const LONGEST = 1_000;
const MOST_LINES = 15;
/** The longest text that is shown in the head of the card. */
const LONGEST_IN_HEAD = 140;

function messageView({
  elicitation,
  catalogue,
  messageId,
}: PromptShared): PartRender<PromptMessage.State> | undefined {
  if (isMessageTitle(elicitation)) return undefined;
  const { message } = elicitation.request;
  const lines = message.split("\n").length;
  const long = message.length > LONGEST || lines > MOST_LINES;
  const block = message.length > LONGEST_IN_HEAD || lines > 1;
  // An element that scrolls must be focusable. Otherwise the keyboard could not scroll it.
  const tabIndex = long ? 0 : undefined;
  const dir = directionOf(message, catalogue.dir);
  return { tag: "p", state: { long, block }, props: { id: messageId, dir, tabIndex, children: message } };
}

function aboutView(
  { catalogue, messageId }: PromptShared,
  about: string,
): PartRender<PromptMessage.State> | undefined {
  if (about === "") return undefined;
  const state = { long: false, block: false };
  return {
    tag: "p",
    state,
    props: { id: messageId, dir: directionOf(about, catalogue.dir), children: about },
  };
}

/**
 * The requester's message: plain text, in which URLs are never links. Renders a `<p>`, or nothing if the heading contains
 * the message.
 */
export const PromptMessage = /* @__PURE__ */ promptPart<"p", PromptMessage.State>("Message", messageView);
export namespace PromptMessage {
  export type Props = PartProps<"p", State>;
  export interface State {
    /** `data-block`: the message has several lines, and is shown separately. */
    block: boolean;
    /** `data-long`: the message scrolls, so that the buttons stay near. It is then focusable. */
    long: boolean;
  }
}

function claimView({ elicitation, catalogue }: PromptShared): PartRender | undefined {
  const claim = elicitation.request.requester?.claimedName;
  if (claim === undefined) return undefined;
  const name = isolate(claim);
  const children = withIcon("question", emphasise(catalogue.claimedName(name), name));
  return { tag: "p", state: {}, props: { children } };
}

/** A third party's own name, as an unverified claim. Renders a `<p>`, or nothing. */
export const PromptClaim = /* @__PURE__ */ promptPart<"p">("Claim", claimView);
export namespace PromptClaim {
  export type Props = PartProps<"p">;
}

/** The head of a card with several steps. */
export interface HeadOfStep {
  /** The question of the step. Absent if a third party asks, because its text is never a heading. */
  readonly title: string | undefined;
  /** The purpose of all steps, shown instead of the message. Empty if it is not repeated. */
  readonly about: string | undefined;
  /** The progress of the user. */
  readonly progress: ReactNode;
  /** Whether the claim of a third party is shown: at the first step and at the review. */
  readonly showsClaim: boolean;
}

/**
 * The head of a card: the question, the requester and the message. `lead` replaces requester and message. For an ended
 * request only the heading is left, for assistive technology.
 */
export function useCardHead(shared: PromptShared, lead?: string, step?: HeadOfStep): ReactElement {
  const { elicitation, catalogue, messageId, fold } = shared;
  const tile = useTileView(shared);
  const carry = useCarry(shared);
  if (isOver(elicitation)) {
    return <div className="elicit-head">{drawView(titleView(shared), "elicit-title")}</div>;
  }
  const title = drawView(titleView(shared, step), "elicit-title");
  // The rows of a review say the same as its message.
  const about = reviewOf(elicitation.request) === undefined ? step?.about : catalogue.approval.asks;
  const view = about === undefined ? messageView(shared) : aboutView(shared, about);
  const message = drawView(view, "elicit-message");
  const isBlock = view?.state.block === true;
  // Between two reading directions, a full stop would be at the wrong end of the sentence.
  const isForeign = startsRightToLeft(elicitation.request.message) !== (catalogue.dir === "rtl");
  const separator = isForeign ? <br /> : <span>{" · "}</span>;
  const requester = drawView(requesterView(shared), "elicit-by");
  const said = (
    <>
      {requester}
      {requester && message && !isBlock && separator}
      {!isBlock && message}
    </>
  );
  return (
    <>
      <div className="elicit-head">
        {drawView(tile, "elicit-tile")}
        {title}
        {carry.button}
        {drawView(dismissView(shared), "elicit-close", {
          ...(fold && { onClick: fold, "aria-disabled": undefined }),
          "aria-label": lead === undefined || fold ? catalogue.dismiss : catalogue.cancel,
          children: icon("close"),
        })}
        <div className="elicit-lead" data-steps={step && ""}>
          {lead === undefined ? (
            <>
              {step ? <div>{said}</div> : said}
              {step?.progress}
            </>
          ) : (
            <p id={messageId}>{lead}</p>
          )}
        </div>
      </div>
      {carry.code}
      {lead === undefined && isBlock && message}
      {lead === undefined && step?.showsClaim !== false && drawView(claimView(shared), "elicit-claim")}
    </>
  );
}

/** A sentence of the catalogue with its name in bold. The name has its own reading direction. */
export function emphasise(sentence: string, name: string): ReactNode {
  const at = sentence.indexOf(name);
  return (
    <>
      <span>{sentence.slice(0, at)}</span>
      <b dir="auto">{name}</b>
      <span>{sentence.slice(at + name.length)}</span>
    </>
  );
}
