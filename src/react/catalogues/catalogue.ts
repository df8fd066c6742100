import type { ElicitationNotice, UrlReason, WindowState } from "../../client/index.ts";
import type { FieldError, SchemaReason } from "../../form/index.ts";
import type { ElicitationMode, ElicitationOutcome } from "../../protocol/contract.ts";

type Words<Key extends string> = Readonly<Record<Key, string>>;

/**
 * All words that the kit shows. To change some, spread a built-in catalogue: `{ ...en, connect: "Link account" }`. Keep
 * the object outside of the component, so that cards re-render only when their own request changes.
 */
export interface Catalogue {
  /** BCP 47 tag of the language; also decides how numbers are written. */
  readonly locale: string;
  readonly dir: "ltr" | "rtl";

  /** Heading of a card. `trigger` is `context.trigger` of the request. */
  title(mode: ElicitationMode, trigger: string | undefined): string;
  /** Who asks, as the operator of the chat's server has named it. */
  requester(name: string): string;
  /** What a third party calls itself. Must sound like a claim. */
  claimedName(name: string): string;

  readonly connect: string;
  readonly openAgain: string;
  readonly finished: string;
  readonly decline: string;
  /** Accessible name of the × of a card. */
  readonly dismiss: string;
  /** Label of the button that dismisses while a page is open. */
  readonly cancel: string;
  /** Closes a dialog whose request has ended. */
  readonly close: string;
  readonly retry: string;
  readonly submit: string;
  /** In place of `submit` in a form without fields. */
  readonly confirm: string;
  /** Replaces an answer that is held for its round. */
  readonly changeAnswer: string;

  readonly copyLink: string;
  readonly linkCopied: string;
  /** Accessible name of the box that shows the link. */
  link(host: string): string;
  /** The decoded form of an international host. */
  decodedHost(host: string): string;
  readonly urlReasons: Words<UrlReason>;
  readonly blockedUrl: string;
  readonly blockedForm: string;
  readonly schemaReasons: Words<SchemaReason["code"]>;
  /** `reason` about one question of a form. */
  aboutQuestion(name: string, reason: string): string;

  readonly waiting: Words<WindowState>;
  readonly checking: string;
  readonly openInNewTab: string;
  readonly continueInThisTab: string;

  readonly submitting: string;
  /** The answer is kept until the other requests of its round are answered. */
  readonly held: string;
  readonly notices: Words<ElicitationNotice["code"]>;
  receipt(mode: ElicitationMode, outcome: ElicitationOutcome | "gone"): string;
  /** Asked before a form that holds typing is dismissed. */
  readonly discardTyped: string;
  /** Answers that question with no. */
  readonly keepEditing: string;
  /** Answers that question with yes. */
  readonly discard: string;
  /** Heading of what was typed into a form that has ended. */
  readonly typed: string;
  /** Minutes and seconds are already formatted: `1:45`. */
  timeLeft(time: string): string;
  readonly underTwoMinutes: string;
  roundProgress(answered: number, size: number): string;

  readonly optional: string;
  /** The limits of a number, formatted; at least one is there. */
  range(minimum: string | undefined, maximum: string | undefined): string;
  /** How many options may be chosen; at least one limit is there. */
  count(minimum: number | undefined, maximum: number | undefined): string;
  readonly errors: Readonly<Record<FieldError["code"], (limit: string) => string>>;
  readonly yes: string;
  readonly no: string;
  /** First entry of a list from which nothing has been chosen. */
  readonly choose: string;
  readonly clear: string;
  /** In place of a value where there is none. */
  readonly notSet: string;
  readonly search: string;
  /** Options that are not shown because there are too many. */
  moreOptions(hidden: number): string;
  readonly noMatch: string;
  readonly timeZone: string;
  localTime(zone: string): string;

  /** `fields`: labels, joined. */
  secretsWarning(fields: string): string;
  readonly secretsConfirm: string;
  /** Where forms that ask for secrets are not allowed. */
  readonly secretsRefused: string;
}
