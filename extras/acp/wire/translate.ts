/**
 * Elicitation between ACP v1 and the contract, in both directions. Pure, and without the SDK, so that the channel and the
 * surface can share it. Wire shapes: `elicitation/create` of the Agent Client Protocol, schema 1.21 and later.
 *
 * What is lost on the way:
 *
 * | from the contract to ACP | what becomes of it |
 * | --- | --- |
 * | `format` other than email, uri, date, date-time | left out: ACP v1 refuses a request with another format |
 * | `enumNames`, `enumLabels` | `oneOf` with `title` (`anyOf` in a multi-select) |
 * | `examples`, `writeOnly`, `$schema` and other keywords | left out |
 * | `requester`, `context`, `expiresAt` | in `_meta`, under {@link META_KEY} |
 * | `service`, `round`, `progress` | lost |
 * | id of a form | lost: the JSON-RPC id stands for it |
 * | outcomes `expired`, `withdrawn`, `failed` | the agent cancels its request |
 * | end of a page that the user agreed to open, other than accepted | lost: only `elicitation/complete` exists |
 *
 * | from ACP to the contract | what becomes of it |
 * | --- | --- |
 * | `elicitationId` | not forwarded: the channel makes its own id, and knows it again at `elicitation/complete` |
 * | `null` for an absent keyword | left out |
 * | `title` and `description` of the form | lost |
 * | a property of a custom type, such as `_color` | kept: the form cannot be shown, and the card says why |
 * | a custom mode | refused with -32602 |
 */
import type {
  ElicitationContent,
  ElicitationOutcome,
  ElicitationRequest,
} from "../../../src/contract/contract.ts";
import { claimedNameOf } from "../../../src/contract/claimed-name.ts";
import { type Parsed, parseElicitationRequest } from "../../../src/contract/guard.ts";
import { isObject } from "../../../src/contract/json.ts";
import { isTimestamp } from "../../../src/contract/timestamp.ts";
import { type AcpProperty, readSchema, writeProperty } from "./form-schema.ts";

/** The key in `_meta` for data that ACP has no field for. */
export const META_KEY = "elicit-kit";

/** The params of an `elicitation/create` in a session. Assignable to the type of the SDK. */
export type AcpElicitationParams = {
  sessionId: string;
  toolCallId?: string;
  message: string;
  _meta?: { [key: string]: unknown };
} & (
  | {
      mode: "form";
      requestedSchema: { type: "object"; properties: Record<string, AcpProperty>; required?: string[] };
    }
  | { mode: "url"; url: string; elicitationId: string }
);

/** A request of an agent, read by a client. */
export interface AcpQuestion {
  readonly request: ElicitationRequest;
  /** The session that the request belongs to. Absent if it belongs to a JSON-RPC request, such as `session/new`. */
  readonly sessionId: string | undefined;
  /** The agent's id, which `elicitation/complete` contains. Only in mode `url`. */
  readonly agentElicitationId: string | undefined;
}

/** The answer to an `elicitation/create`. */
export type AcpElicitationResult =
  | { action: "accept"; content?: Record<string, string | number | boolean | string[]> }
  | { action: "decline" }
  | { action: "cancel" };

/** Whether a client that declared `capabilities` can be asked. An absent or `null` mode is not supported. */
export function supportedByClient(capabilities: unknown): Readonly<Record<"form" | "url", boolean>> {
  const modes = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  const has = (mode: "form" | "url") => isObject(modes) && isObject(modes[mode]);
  return { form: has("form"), url: has("url") };
}

/** Reads the params of an `elicitation/create`, for a client. `elicitationId` is the id of the request made from it. */
export function readElicitation(
  params: unknown,
  { elicitationId, agentName }: { elicitationId: string; agentName: string },
): Parsed<AcpQuestion> {
  if (!isObject(params)) return unreadable("params: expected object");
  const { sessionId, requestId, toolCallId, mode, message, url } = params;
  const isOfSession = typeof sessionId === "string";
  if (isOfSession === isRequestId(requestId)) {
    return unreadable("params: expected either sessionId or requestId");
  }
  if (mode !== "form" && mode !== "url") return unreadable("params.mode: expected form|url");
  const meta = readMeta(params["_meta"]);
  const agentElicitationId = mode === "url" ? params["elicitationId"] : undefined;
  if (mode === "url" && typeof agentElicitationId !== "string") {
    return unreadable("params.elicitationId: expected id");
  }
  const read = parseElicitationRequest({
    type: "elicitation-request",
    elicitationId,
    mode,
    message,
    ...(mode === "url"
      ? { url, acceptMeans: "consent" }
      : { requestedSchema: readSchema(params["requestedSchema"]) }),
    requester: { name: agentName, ...(meta.claimedName && { claimedName: meta.claimedName }) },
    context: { trigger: "acp_elicitation" },
    ...(typeof toolCallId === "string" && { toolCallId }),
    ...(meta.expiresAt !== undefined && { expiresAt: meta.expiresAt }),
  });
  if (!read.ok) return unreadable(`params${read.reason}`);
  return {
    ok: true,
    value: {
      request: read.value,
      sessionId: isOfSession ? sessionId : undefined,
      agentElicitationId: typeof agentElicitationId === "string" ? agentElicitationId : undefined,
    },
  };
}

/** Writes the params of an `elicitation/create`, for an agent, or returns why ACP v1 cannot express it. */
export function writeElicitation(
  request: ElicitationRequest,
  sessionId: string,
): Parsed<AcpElicitationParams> {
  const { message, toolCallId, elicitationId, requester, context, expiresAt } = request;
  const meta = Object.fromEntries(
    Object.entries({ requester, context, expiresAt }).filter(([, value]) => value !== undefined),
  );
  const common = {
    sessionId,
    message,
    ...(toolCallId !== undefined && { toolCallId }),
    ...(Object.keys(meta).length > 0 && { _meta: { [META_KEY]: meta } }),
  };
  if (request.mode === "url") {
    return { ok: true, value: { ...common, mode: "url", url: request.url, elicitationId } };
  }
  const { properties, required } = request.requestedSchema;
  const written: [string, AcpProperty][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const acp = writeProperty(property);
    if (acp === undefined) return unreadable(`.requestedSchema.properties.${name}: ACP has no such property`);
    written.push([name, acp]);
  }
  const requestedSchema = {
    type: "object" as const,
    properties: Object.fromEntries(written),
    ...(required !== undefined && { required: [...required] }),
  };
  return { ok: true, value: { ...common, mode: "form", requestedSchema } };
}

/** Returns the client's answer for the outcome of a request. */
export function resultOf(outcome: ElicitationOutcome, content?: ElicitationContent): AcpElicitationResult {
  if (outcome === "declined") return { action: "decline" };
  if (outcome !== "accepted") return { action: "cancel" };
  if (content === undefined) return { action: "accept" };
  const entries = Object.entries(content).map(([name, value]) => [name, copyOf(value)] as const);
  return { action: "accept", content: Object.fromEntries(entries) };
}

/** Reads the `_meta` of an agent that uses this kit. Its own name is only a claim. */
function readMeta(meta: unknown): { expiresAt?: string; claimedName?: string } {
  const ours = isObject(meta) ? meta[META_KEY] : undefined;
  if (!isObject(ours)) return {};
  const { expiresAt, requester } = ours;
  const claimedName = claimedNameOf(isObject(requester) ? requester["name"] : undefined);
  return {
    ...(typeof expiresAt === "string" && isTimestamp(expiresAt) && { expiresAt }),
    ...(claimedName !== undefined && { claimedName }),
  };
}

function isRequestId(id: unknown): boolean {
  return typeof id === "string" || typeof id === "number";
}

function copyOf(value: ElicitationContent[string]): string | number | boolean | string[] {
  return typeof value === "object" ? [...value] : value;
}

function unreadable(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
