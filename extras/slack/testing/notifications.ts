import { isObject } from "../../../src/contract/json.ts";
import type { FakeMessage } from "./state.ts";

/** A mention in a message of the app for which Slack would notify users. */
export interface Notification {
  readonly ts: string;
  /** `channel`, `here`, `everyone`, or the id of a user or a group. */
  readonly who: string;
}

const MENTION =
  /<(?:!(channel|here|everyone|group)(?:\|[^>]*)?|@([UW]\w+)(?:\|[^>]*)?|!subteam\^(\w+)(?:\|[^>]*)?)>/g;

/** The mentions in the parts of a message with markup: never in `plain_text`. */
export function notificationsOf({ ts, text, blocks }: FakeMessage): readonly Notification[] {
  return [text, ...blocks.flatMap(markupIn)].flatMap((markup) =>
    [...markup.matchAll(MENTION)].map(([, all, person, group]) => ({
      ts,
      who: all ?? person ?? group ?? "",
    })),
  );
}

function markupIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(markupIn);
  if (!isObject(value) || value["type"] === "plain_text") return [];
  const isMarkup = value["type"] === "mrkdwn" || value["type"] === "markdown";
  if (isMarkup && typeof value["text"] === "string") return [value["text"]];
  return Object.values(value).flatMap(markupIn);
}
