import type { Drafts, Field } from "../../../src/form/index.ts";
import type { ControlName } from "../../../src/form/pick-control.ts";
import { isOwnWords, otherOf } from "../../../src/form/own-words.ts";
import { validateField } from "../../../src/form/validate.ts";
import {
  type ElicitationRequest,
  type FormElicitationRequest,
  MAX_NOTE_LENGTH,
  type UrlElicitationRequest,
} from "../../../src/contract/contract.ts";
import { isObject } from "../../../src/contract/json.ts";
import { reviewOf } from "../../../src/contract/review.ts";
import { limitText } from "../../../src/words/cards/limit-words.ts";
import { cardKindOf, type FormHeading, formHeadingOf } from "../../../src/words/cards/form-heading.ts";
import type { Catalogue } from "../../../src/words/cards/catalogue.ts";
import { PREFIX, type SlackBlock, type SlackModal, button, section, smallPrint } from "./block.ts";
import { type SlackLanguage, english, plainText } from "./text.ts";
import { blockIdOf, presentedIn, showForm, startingDrafts } from "./form-fields.ts";
import { inputOf } from "./form-inputs.ts";
import { readPageLink } from "./page-link.ts";
import { rememberBox } from "./remember-box.ts";
import { requesterLines } from "./request-message.ts";
import { reviewText } from "./review-text.ts";

/** `callback_id` of the kit's modals. */
export const MODAL_CALLBACK = `${PREFIX}form`;

/** `callback_id` of the modal for a decline with a note. */
export const NOTE_CALLBACK = `${PREFIX}note`;
const NOTE_BLOCK = "note";

/** Longer lists are searched, not sent, because the whole modal would exceed Slack's 250 KB. */
const MOST_LISTED = 300;
const MOST_LISTED_IN_LARGE_FORMS = 10;
/** Slack refuses a view of more than 250,000 bytes. */
const LARGE_BYTES = 200_000;

/** Slack's maximum length of a title. */
const MOST_IN_TITLE = 24;

/** Options of a modal. */
export interface ModalOptions {
  /** @default English */
  language?: SlackLanguage | undefined;
  /** The user's input before the modal was closed. */
  drafts?: Drafts | undefined;
  /** Whether the user had checked the box to remember the answer. */
  remember?: boolean | undefined;
  /**
   * Slack returns it with the submission, as `private_metadata`. At most 3,000 characters. @default the id of the request
   */
  metadata?: string | undefined;
}

/** A modal, or the reason why there is none. */
export type MadeModal =
  | { readonly ok: true; readonly view: SlackModal }
  /**
   * `blocked`: no client can show it. `page`: the hosted page can. `secret`: it asks for secrets. `unsafe`: its URL is
   * unsafe.
   */
  | { readonly ok: false; readonly because: "blocked" | "page" | "secret" | "unsafe" };

/**
 * The modal of a form, or of a link that only the user who is asked may see. Slack accepts the modal for any request. A
 * form that asks for secrets, or that Slack cannot show, has no modal.
 */
export function requestModal(request: ElicitationRequest, options: ModalOptions = {}): MadeModal {
  return request.mode === "form" ? formModal(request, options) : linkModal(request, options);
}

function linkModal(
  request: UrlElicitationRequest,
  { language: { catalogue } = english, metadata = request.elicitationId }: ModalOptions,
): MadeModal {
  const page = readPageLink(request, catalogue);
  if (!page.ok) return page;
  const open = button("link", page.label, request.elicitationId, { url: page.href, style: "primary" });
  const view: SlackModal = {
    type: "modal",
    callback_id: MODAL_CALLBACK,
    private_metadata: metadata,
    title: plainText(catalogue.title(cardKindOf(request), request.service?.name), 24),
    close: plainText(catalogue.close, 24),
    blocks: [
      ...introduction(request, catalogue),
      ...page.notes.map(section),
      { type: "actions", elements: [open] },
    ],
  };
  return { ok: true, view };
}

/** The modal of "No, and …": one line of text, for the agent of this chat. */
export function noteModal(
  { elicitationId, requester }: Pick<ElicitationRequest, "elicitationId" | "requester">,
  { catalogue }: SlackLanguage = english,
): SlackModal {
  const most = catalogue.range(undefined, MAX_NOTE_LENGTH.toLocaleString(catalogue.locale));
  return {
    type: "modal",
    callback_id: NOTE_CALLBACK,
    private_metadata: elicitationId,
    title: plainText(catalogue.noAnd, MOST_IN_TITLE),
    submit: plainText(catalogue.decline, 24),
    close: plainText(catalogue.back, 24),
    blocks: [
      {
        type: "input",
        block_id: NOTE_BLOCK,
        optional: true,
        label: plainText(catalogue.noAndLine, 2000),
        element: {
          type: "plain_text_input",
          action_id: NOTE_CALLBACK,
          multiline: true,
          max_length: MAX_NOTE_LENGTH,
        },
        hint: plainText(catalogue.onlyReads(requester?.name, most), 2000),
      },
    ],
  };
}

/** Reads `view.state.values` of that modal. Empty: a decline without a note. */
export function readNote(values: unknown): string {
  const block = isObject(values) ? values[NOTE_BLOCK] : undefined;
  const input = isObject(block) ? block[NOTE_CALLBACK] : undefined;
  const text = isObject(input) ? input["value"] : undefined;
  return typeof text === "string" ? Array.from(text.trim()).slice(0, MAX_NOTE_LENGTH).join("") : "";
}

/** The message, unless it is the title, and the requester. */
function introduction(
  request: ElicitationRequest,
  catalogue: Catalogue,
  title?: FormHeading,
): readonly SlackBlock[] {
  const requester = requesterLines(request, catalogue);
  const review = reviewOf(request);
  const said = review === undefined ? request.message : reviewText(review, catalogue);
  const message = title?.from === "message" || said === "" ? [] : [section(said)];
  return [...message, ...(requester.length > 0 ? [smallPrint(...requester)] : [])];
}

function formModal(
  request: FormElicitationRequest,
  { language: { catalogue } = english, drafts, remember, metadata = request.elicitationId }: ModalOptions,
): MadeModal {
  const form = showForm(request, catalogue);
  if (!form.ok) return form;
  const { fields } = form;
  const typed = startingDrafts(fields, drafts);
  const heading = formHeadingOf(request);
  // Slack requires a block: without fields, the message is the only one, or else the title.
  const fits = heading !== undefined && heading.text.length <= MOST_IN_TITLE && fields.length > 0;
  const ownTitle = fits ? heading : undefined;

  const present = presentedIn(fields, request, { drafts: typed, word: catalogue.recommended });

  function blocksWith(mostListed: number): readonly SlackBlock[] {
    const inputs = fields.map((field, index): SlackBlock => {
      const presented = present(field);
      const draft = Object.hasOwn(typed, field.name) ? typed[field.name] : undefined;
      return {
        type: "input",
        block_id: blockIdOf(index),
        label: plainText(isOwnWords(field) ? catalogue.ownWords : field.label, 2000),
        element: inputOf(field, presented, { draft, catalogue, mostListed }),
        // Slack does not send the user's own words without a selected option.
        optional: acceptsNone(field) || otherOf(field) !== undefined,
        dispatch_action: true,
        ...hintOf(field, presented.control, catalogue),
      };
    });
    const box = rememberBox(request, catalogue, { isTicked: remember });
    const all = [...introduction(request, catalogue, ownTitle), ...inputs, ...box];
    return all.length > 0 ? all : [section(catalogue.title("form"))];
  }

  const blocks = blocksWith(MOST_LISTED);
  const isLarge = new TextEncoder().encode(JSON.stringify(blocks)).byteLength > LARGE_BYTES;
  const view: SlackModal = {
    type: "modal",
    callback_id: MODAL_CALLBACK,
    private_metadata: metadata,
    title: plainText(ownTitle?.text ?? catalogue.title("form"), MOST_IN_TITLE),
    submit: plainText(submitOf(request, fields, catalogue), 24),
    close: plainText(catalogue.cancel, 24),
    blocks: isLarge ? blocksWith(MOST_LISTED_IN_LARGE_FORMS) : blocks,
  };
  // A very long form with very long labels and descriptions.
  if (new TextEncoder().encode(JSON.stringify(view)).byteLength > LARGE_BYTES)
    return { ok: false, because: "page" };
  return { ok: true, view };
}

function submitOf(
  request: FormElicitationRequest,
  { length: count }: readonly Field[],
  catalogue: Catalogue,
): string {
  if (reviewOf(request) !== undefined) return catalogue.approval.approve;
  return count === 0 ? catalogue.confirm : catalogue.submit;
}

/**
 * Whether Slack should accept the field without a value, and mark it as optional. A value from the start can only be
 * emptied in a text, and in several options, where that means "none".
 */
function acceptsNone(field: Field): boolean {
  if (field.kind === "multi-choice") return validateField(field, []) === undefined;
  const hasValue = field.kind !== "text" && field.default !== undefined && String(field.default) !== "";
  return !field.required && !hasValue;
}

/** The description and the limits. Slack itself says how long a text may be. */
function hintOf(
  field: Field,
  control: ControlName,
  catalogue: Catalogue,
): { hint?: ReturnType<typeof plainText> } {
  const hint = [field.description?.trim(), limitText(field, control, catalogue)].filter(Boolean).join(" · ");
  return hint === "" ? {} : { hint: plainText(hint, 2000) };
}
