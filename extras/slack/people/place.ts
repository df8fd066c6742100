import { isObject } from "../../../src/contract/json.ts";
import { text, type SlackInstallation } from "../wire/payload.ts";
import type { SlackPerson } from "./right-person.ts";

/** A thread of Slack, and the user whose message started a turn in it. Plain data: the `ref` of the turn. */
export interface SlackPlace {
  readonly installation: SlackInstallation;
  readonly channel: string;
  readonly thread: string;
  readonly person: SlackPerson;
  /** Direct messages: streams need no recipient there. */
  readonly isDirect: boolean;
  /** User id of the app, to recognise its own messages. */
  readonly bot: string | undefined;
}

/** One conversation for each thread and app, so that two apps in one thread do not replace each other's turns. */
export function conversationOf(surface: string, { installation, channel, thread }: SlackPlace): string {
  return `${surface}:${installation.team ?? installation.enterprise ?? ""}:${channel}:${thread}`;
}

/** `since`: the `ts` of the message that starts the turn. */
export function toRef(place: SlackPlace, since: string): Readonly<Record<string, unknown>> {
  return { ...place, since };
}

/** Whether a message newer than `ts` started the turn. */
export function isStartedAfter(ref: Readonly<Record<string, unknown>>, ts: string): boolean {
  return Number(ref["since"]) > Number(ts);
}

/** Parses the `ref` of a turn. `undefined`: it was not created by {@link toRef}. */
export function fromRef(ref: Readonly<Record<string, unknown>>): SlackPlace | undefined {
  const { installation, channel, thread, person } = ref;
  if (!isObject(installation) || !isObject(person)) return undefined;
  const { user, team } = person;
  if (typeof channel !== "string" || typeof thread !== "string") return undefined;
  if (typeof user !== "string" || typeof team !== "string") return undefined;
  const enterprise = text(person["enterprise"]);
  return {
    channel,
    thread,
    person: enterprise === undefined ? { user, team } : { user, team, enterprise },
    isDirect: ref["isDirect"] === true,
    bot: text(ref["bot"]),
    installation: {
      team: text(installation["team"]),
      enterprise: text(installation["enterprise"]),
      isOrgInstall: installation["isOrgInstall"] === true,
    },
  };
}
