import { type InputRequest, inputRequired, isSpecType } from "@modelcontextprotocol/server";
import type { ElicitationRequest } from "../../protocol/contract.ts";
import { isObject } from "../../protocol/json.ts";
import type { SupportedModes } from "../../runtime/core/index.ts";
import { type McpElicitation, type McpRevision, writeElicitation } from "../translate.ts";

/** How a client can be asked, according to its capabilities. */
export interface ClientModes extends SupportedModes {
  /** It has declared elicitation, perhaps with one mode only. */
  readonly declared: boolean;
}

/** How one request reaches the person behind a client. */
export type Presentation =
  /** `params` of an `elicitation/create`. `page`: the link to the answer page stands in for a form. */
  | {
      readonly by: "elicitation";
      readonly params: Readonly<Record<string, unknown>>;
      readonly stands: "itself" | "page";
    }
  /** A link in the result, which the model passes on. */
  | { readonly by: "text"; readonly url: string }
  /** Not at all: the client lacks this mode. */
  | { readonly by: "nothing"; readonly mode: ElicitationRequest["mode"] };

/** Reads the `elicitation` capability of a client. `{}` means form, also with members that the revision does not know. */
export function clientModes(capabilities: unknown, revision: McpRevision): ClientModes {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isObject(elicitation)) return { declared: false, form: false, url: false };
  const url = revision !== "2025-06-18" && isObject(elicitation["url"]);
  return { declared: true, form: isObject(elicitation["form"]) || !url, url };
}

/**
 * Decides how to ask. `link`: the answer page of the request, if the operator has one. `note`: added to the message, by
 * default why the last attempt failed.
 */
export function present(
  request: ElicitationRequest,
  { modes, revision, link, note = lastErrorOf(request) }: Presenting,
): Presentation {
  const { elicitationId } = request;
  const message = note === undefined ? request.message : `${request.message}\n\n${note}`;
  const inMode: McpElicitation =
    request.mode === "form"
      ? { mode: "form", message, requestedSchema: request.requestedSchema }
      : { mode: "url", message, url: request.url, elicitationId };
  if (modes[request.mode]) {
    const written = writeElicitation(inMode, revision);
    if (written.ok) return { by: "elicitation", params: written.value, stands: "itself" };
  }
  if (link !== undefined && request.mode === "form" && modes.url) {
    const written = writeElicitation({ mode: "url", message, url: link, elicitationId }, revision);
    if (written.ok) return { by: "elicitation", params: written.value, stands: "page" };
  }
  const url = request.mode === "url" ? request.url : link;
  if (link === undefined || url === undefined) return { by: "nothing", mode: request.mode };
  return { by: "text", url };
}

function lastErrorOf({ progress }: ElicitationRequest): string | undefined {
  return progress?.status === "pending" ? progress.lastError : undefined;
}

export interface Presenting {
  modes: ClientModes;
  revision: McpRevision;
  link: string | undefined;
  note?: string | undefined;
}

/** The request as an entry of `inputRequests` (2026-07-28). `undefined` if it is not asked by elicitation. */
export function inputRequestOf(how: Presentation): InputRequest | undefined {
  if (how.by !== "elicitation") return undefined;
  const { mode, message, url } = how.params;
  if (mode === "url" && typeof message === "string" && typeof url === "string") {
    return inputRequired.elicitUrl({ message, url });
  }
  const request: unknown = { method: "elicitation/create", params: how.params };
  return isSpecType.ElicitRequest(request) ? request : undefined;
}
