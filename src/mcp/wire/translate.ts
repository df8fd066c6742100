/**
 * Elicitation between MCP and the contract, in both directions. Pure, and without the SDK, so that a server and a client
 * can share it. Wire shapes: `elicitation/create` and `URLElicitationRequiredError` of MCP 2025-06-18 and 2025-11-25, and
 * `InputRequiredResult` of MCP 2026-07-28.
 *
 * What is lost on the way:
 *
 * | from the contract to MCP | 2025-06-18 | 2025-11-25 | 2026-07-28 |
 * | --- | --- | --- | --- |
 * | mode `url` | cannot be asked | kept | kept |
 * | id of the request | lost: the JSON-RPC id stands for it | `elicitationId`, mode `url` only | lost: the key of the round stands for it |
 * | `requester`, `context`, `service`, `expiresAt`, `toolCallId`, `round` | lost | lost | lost |
 * | titled options (`oneOf`) | `enum` and `enumNames`, also if only the year is known | kept | kept |
 * | multi-select | cannot be asked | kept | kept |
 * | defaults other than a boolean | lost | kept | kept |
 * | outcomes `expired`, `withdrawn`, `failed` | `cancel` | `cancel` | `cancel` |
 *
 * | from MCP to the contract | what becomes of it |
 * | --- | --- |
 * | `elicitationId`, key of a round | not forwarded: every hop makes its own id |
 * | `_meta` (with `ui.resourceUri`), `task`, unknown members | not forwarded: the form is shown as a form |
 * | keywords of `requestedSchema` outside the specification | kept; the contract decides which it reads |
 */
import type {
  ElicitationAction,
  ElicitationContent,
  ElicitationOutcome,
  RequestedSchema,
} from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";

/** The extension of MCP 2026-07-28. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** The revisions of MCP in which a server may ask. */
export type McpRevision = "2025-06-18" | "2025-11-25" | "2026-07-28";

/** A 2025 client whose exact revision is unknown. It gets only what both revisions support. */
export const SOME_2025_REVISION = "2025";

/** The content of an `elicitation/create`. */
export type McpElicitation =
  | { readonly mode: "form"; readonly message: string; readonly requestedSchema: RequestedSchema }
  | {
      readonly mode: "url";
      readonly message: string;
      readonly url: string;
      /** The id of the request in `notifications/elicitation/complete`. Only in 2025-11-25. */
      readonly elicitationId?: string | undefined;
    };

/** The answer to an `elicitation/create`. */
export interface McpElicitResult {
  readonly action: ElicitationAction;
  readonly content?: ElicitationContent;
  readonly [key: string]: unknown;
}

/** The result of reading, or the reason why it failed: the path and the expected type, never a value. */
export type McpRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** A round of MCP 2026-07-28: the questions to answer before the call is repeated. */
export interface McpRound {
  readonly requests: readonly { readonly key: string; readonly method: unknown; readonly params: unknown }[];
  /** Returned to the server unchanged. Absent if the server sent none. */
  readonly requestState?: string;
}

/** `URLElicitationRequiredError` (2025-11-25). */
const URL_ELICITATION_REQUIRED = -32042;
/** `MissingRequiredClientCapabilityError` (2026-07-28). */
export const MISSING_CLIENT_CAPABILITY = -32021;

const MAX_TEXT_LENGTH = 8192;

/** The `elicitation` capability of a client. `undefined` if it cannot be asked, because `{}` would mean form. */
export function elicitationCapability(
  supports: Readonly<Record<"url" | "form", boolean>>,
): { form?: Record<string, never>; url?: Record<string, never> } | undefined {
  if (!supports.form && !supports.url) return undefined;
  return { ...(supports.form && { form: {} }), ...(supports.url && { url: {} }) };
}

/** Reads the params of an `elicitation/create` of any revision. An absent `mode` is `form`. */
export function readElicitation(written: unknown): McpRead<McpElicitation> {
  const params = withoutNulls(written);
  if (!isObject(params)) return unreadable("params: expected object");
  const { mode = "form", message, requestedSchema } = params;
  if (!isShort(message))
    return unreadable(`params.message: expected text of at most ${MAX_TEXT_LENGTH} characters`);
  if (mode === "form") {
    if (isSchema(requestedSchema)) return { ok: true, value: { mode, message, requestedSchema } };
    return unreadable("params.requestedSchema: expected an object schema with properties");
  }
  if (mode !== "url") return unreadable("params.mode: expected form|url");
  const { url, elicitationId } = params;
  if (!isShort(url) || !URL.canParse(url)) {
    return unreadable(`params.url: expected url of at most ${MAX_TEXT_LENGTH} characters`);
  }
  const named = isShort(elicitationId) ? { elicitationId } : {};
  return { ok: true, value: { mode, message, url, ...named } };
}

/**
 * Go and .NET write null for a `mode` or a `required` that is absent, and PHP writes `[]` for an object without
 * properties. A `requestedSchema` that is no object is left out; all else stays.
 */
export function withoutNulls(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { mode, requestedSchema: schema } = params;
  const isGiven = isObject(schema);
  const { properties, required } = isGiven ? schema : {};
  const isEmptyList = Array.isArray(properties) && properties.length === 0;
  return {
    ...params,
    mode: mode ?? undefined,
    requestedSchema: isGiven
      ? { ...schema, properties: isEmptyList ? {} : properties, required: required ?? undefined }
      : undefined,
  };
}

/** Writes the params of an `elicitation/create`, or returns why this revision cannot express it. */
export function writeElicitation(
  elicitation: McpElicitation,
  revision: McpRevision | typeof SOME_2025_REVISION,
): McpRead<Readonly<Record<string, unknown>>> {
  const { mode, message } = elicitation;
  if (mode === "url") {
    const { url, elicitationId } = elicitation;
    if (revision === "2025-06-18") return unreadable("mode url does not exist in MCP 2025-06-18");
    if (revision === "2026-07-28") return { ok: true, value: { mode, message, url } };
    if (elicitationId === undefined) return unreadable("mode url needs an elicitationId in MCP 2025-11-25");
    return { ok: true, value: { mode, message, elicitationId, url } };
  }
  const { requestedSchema } = elicitation;
  if (revision === SOME_2025_REVISION) {
    const properties = Object.entries(requestedSchema.properties).map(([name, property]) => [
      name,
      withEnumNames(property),
    ]);
    const schema = { ...requestedSchema, properties: Object.fromEntries(properties) };
    return { ok: true, value: { mode, message, requestedSchema: schema } };
  }
  if (revision !== "2025-06-18") return { ok: true, value: { mode, message, requestedSchema } };
  const properties: [string, unknown][] = [];
  for (const [name, property] of Object.entries(requestedSchema.properties)) {
    const older = toJune2025(property);
    if (older === undefined) return unreadable("a multi-select cannot be asked in MCP 2025-06-18");
    properties.push([name, older]);
  }
  const { required } = requestedSchema;
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required && { required }),
  };
  return { ok: true, value: { message, requestedSchema: schema } };
}

/** Returns the client's answer for the outcome of its request. */
export function elicitResultOf(outcome: ElicitationOutcome, content?: ElicitationContent): McpElicitResult {
  if (outcome === "declined") return { action: "decline" };
  if (outcome !== "accepted") return { action: "cancel" };
  return content === undefined ? { action: "accept" } : { action: "accept", content: { ...content } };
}

/** Reads the URLs of a `URLElicitationRequiredError`. `undefined` if the error is another one, or names no URL. */
export function readRequiredUrls(error: unknown): readonly McpElicitation[] | undefined {
  if (codeOf(error) !== URL_ELICITATION_REQUIRED) return undefined;
  const data = isObject(error) ? error["data"] : undefined;
  const listed: unknown = isObject(data) ? data["elicitations"] : undefined;
  if (!Array.isArray(listed)) return undefined;
  const urls = listed.flatMap((params: unknown) => {
    const read = readElicitation(params);
    return read.ok && read.value.mode === "url" ? [read.value] : [];
  });
  return urls.length === 0 ? undefined : urls;
}

/** The code of a JSON-RPC error that an SDK has thrown. */
export function codeOf(error: unknown): number | undefined {
  const code: unknown = isObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

/** Reads an `InputRequiredResult`. `undefined` if the result is another one. */
export function readRound(result: unknown): McpRound | undefined {
  if (!isObject(result) || result["resultType"] !== "input_required") return undefined;
  const { inputRequests, requestState } = result;
  const requests = Object.entries(isObject(inputRequests) ? inputRequests : {}).map(([key, request]) => ({
    key,
    method: isObject(request) ? request["method"] : undefined,
    params: isObject(request) ? request["params"] : undefined,
  }));
  return { requests, ...(typeof requestState === "string" && { requestState }) };
}

/** Writes a property in the vocabulary of 2025-06-18. `undefined` if that revision has no such property. */
function toJune2025(property: unknown): unknown {
  if (!isObject(property)) return property;
  const { default: initial, ...rest } = property;
  if (rest["type"] === "array") return undefined;
  return withEnumNames({ ...rest, ...(typeof initial === "boolean" && { default: initial }) });
}

/** Writes titled options as `enum` and `enumNames`, which both revisions of 2025 have. */
function withEnumNames(property: unknown): unknown {
  if (!isObject(property)) return property;
  const { oneOf, ...rest } = property;
  if (!Array.isArray(oneOf)) return property;
  const options = oneOf.map((option: unknown) => (isObject(option) ? option : {}));
  return {
    ...rest,
    enum: options.map((option) => option["const"]),
    enumNames: options.map((option) => option["title"] ?? option["const"]),
  };
}

function unreadable(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** Counts code points, as the contract does. */
function isShort(value: unknown): value is string {
  return typeof value === "string" && (value.length <= MAX_TEXT_LENGTH || /^.{0,8192}$/su.test(value));
}

function isSchema(value: unknown): value is RequestedSchema {
  if (!isObject(value) || value["type"] !== "object" || !isObject(value["properties"])) return false;
  const { required } = value;
  return (
    required === undefined || (Array.isArray(required) && required.every((name) => typeof name === "string"))
  );
}
