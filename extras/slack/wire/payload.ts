import type { Clock } from "../../../src/base/clock.ts";
import { isObject } from "../../../src/contract/json.ts";
import { parseJson } from "../../../src/contract/parse-json.ts";
import { readBytes } from "../../../src/base/read-body.ts";
import { isSignedBySlack } from "./signature.ts";

/** A payload of Slack, or the reply of a method: untrusted JSON. */
export type SlackBody = Readonly<Record<string, unknown>>;

/** A string that is not empty. For a missing value, Slack sends `""`, `null` or nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The values of the inputs and checkboxes of a view, or of the message of a click. */
export function stateValues(holder: unknown): unknown {
  const state = isObject(holder) ? holder["state"] : undefined;
  return isObject(state) ? state["values"] : undefined;
}

/** A string property of a value that may not be an object, such as the id of `channel` in a click. */
export const field = (holder: unknown, name: string): string | undefined =>
  isObject(holder) ? text(holder[name]) : undefined;

/** A parsed payload from Slack. */
export type SlackPayload =
  /** Slack's URL verification, sent when the URL is configured. */
  | { readonly kind: "challenge"; readonly challenge: string }
  | { readonly kind: "event"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "interaction"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "command"; readonly body: Readonly<Record<string, unknown>> };

/**
 * The app's reply to an interaction or a command, as JSON. An empty object acknowledges, and closes a submitted modal.
 */
export type SlackReply = Readonly<Record<string, unknown>>;

/** Slack's own payloads are far smaller: a view has at most 250 KB. */
const MAX_BYTES = 1024 * 1024;

/** Reads a request of Slack, or returns the status that refuses it. Checks the signature before parsing. */
export async function readRequest(
  request: Request,
  { signingSecret, clock }: { signingSecret: string | readonly string[]; clock: Clock },
): Promise<SlackPayload | { readonly status: 400 | 401 | 405 | 413 }> {
  if (request.method !== "POST") return { status: 405 };
  const bytes = await readBytes(request, { maxBytes: MAX_BYTES });
  if (!(bytes instanceof Uint8Array)) return { status: 413 };
  const body = new TextDecoder().decode(bytes);
  const isSigned = await isSignedBySlack({
    signingSecret,
    body,
    timestamp: request.headers.get("x-slack-request-timestamp"),
    signature: request.headers.get("x-slack-signature"),
    now: clock.now(),
  });
  if (!isSigned) return { status: 401 };
  const isForm =
    request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  return (isForm ? readForm(body) : payloadOf(parseJson(body))) ?? { status: 400 };
}

function readForm(body: string): SlackPayload | undefined {
  const form = new URLSearchParams(body);
  const payload = form.get("payload");
  // Slack sometimes checks the certificate of a slash command, and expects an acknowledgement.
  if (form.get("ssl_check") === "1") return { kind: "interaction", body: { type: "ssl_check" } };
  return payload === null ? payloadOf(Object.fromEntries(form)) : payloadOf(parseJson(payload));
}

/** Distinguishes events, interactions and commands, in a body that is already parsed and verified. */
export function payloadOf(body: unknown): SlackPayload | undefined {
  if (!isObject(body)) return undefined;
  const { type, challenge, command } = body;
  if (type === "url_verification") {
    return typeof challenge === "string" ? { kind: "challenge", challenge } : undefined;
  }
  if (type === "event_callback") return isObject(body["event"]) ? { kind: "event", body } : undefined;
  if (typeof command === "string") return { kind: "command", body };
  return typeof type === "string" ? { kind: "interaction", body } : undefined;
}

/** Where an app is installed: a workspace, or a whole organisation. Determines the token for calls to Slack. */
export interface SlackInstallation {
  readonly team: string | undefined;
  readonly enterprise: string | undefined;
  readonly isOrgInstall: boolean;
}

/** The installation of an interaction, an event's envelope or a command. */
export function installationOf(body: SlackBody): SlackInstallation {
  const { team, enterprise, authorizations, view } = body;
  const first: unknown = Array.isArray(authorizations) ? authorizations[0] : undefined;
  const authorization = isObject(first) ? first : {};
  const installedAt = field(view, "app_installed_team_id");
  const isOrgInstall = [body["is_enterprise_install"], authorization["is_enterprise_install"]].some(
    (flag) => flag === true || flag === "true",
  );
  return {
    // In a modal, `team` is the one of the user, which for a guest of Slack Connect does not have the app. The view names
    // the workspace that has it, or an organisation (`E…`).
    team:
      text(authorization["team_id"]) ??
      (installedAt?.startsWith("T") === true ? installedAt : undefined) ??
      field(team, "id") ??
      text(body["team_id"]),
    enterprise:
      text(authorization["enterprise_id"]) ?? field(enterprise, "id") ?? text(body["enterprise_id"]),
    isOrgInstall,
  };
}
