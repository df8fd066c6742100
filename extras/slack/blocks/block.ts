import { type PlainText, plainText } from "./text.ts";

/** A block of Block Kit, ready to send. */
export interface SlackBlock {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A modal in the form that `views.open` accepts. */
export interface SlackModal {
  readonly type: "modal";
  readonly title: PlainText;
  readonly submit?: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly SlackBlock[];
  readonly private_metadata: string;
  readonly callback_id: string;
}

/** An interactive element, or an option of one. */
export type SlackElement = Readonly<Record<string, unknown>>;

/** The ids of the kit's elements begin with this prefix, so that an app can distinguish its own interactions. */
export const PREFIX = "elicit_kit:";

/** The buttons of a question. */
const BUTTONS = [
  "answer",
  "accept",
  "yes",
  "no",
  "decline",
  "note",
  "cancel",
  "link",
  "forget",
  "delegate",
  "give",
  "take-back",
  "remind",
  "extend",
] as const;
export type ButtonName = (typeof BUTTONS)[number];

export const section = (text: string): SlackBlock => ({ type: "section", text: plainText(text, 3000) });

/** A context block. Strings are the kit's own mrkdwn; text from others is plain text. */
export const smallPrint = (...lines: readonly (string | PlainText)[]): SlackBlock => ({
  type: "context",
  elements: lines.map((line) =>
    typeof line === "string" ? { type: "mrkdwn", text: line, verbatim: true } : line,
  ),
});

/** `value`: the id of the request, or for `forget` the id of the remembered answer. */
export function button(
  name: ButtonName,
  label: string,
  value: string,
  more: SlackElement = {},
): SlackElement {
  return {
    type: "button",
    action_id: PREFIX + name,
    text: plainText(label, 75),
    value,
    ...more,
  };
}

/** The name of a button of a request, from its `action_id`. */
export function buttonName(actionId: unknown): ButtonName | undefined {
  return BUTTONS.find((name) => actionId === PREFIX + name);
}

/** Markup that mentions a user. An invalid id is shown as plain text. */
export function mention(user: string): string {
  return /^[UW][A-Z0-9]{1,30}$/.test(user) ? `<@${user}>` : "somebody";
}

/** Markup for a time, which Slack shows in each reader's time zone. */
export function localTime(at: Date): string {
  const iso = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `<!date^${Math.floor(at.getTime() / 1000)}^{date_short_pretty} {time}|${iso}>`;
}
