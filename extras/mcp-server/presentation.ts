import { type InputRequest, inputRequired, isSpecType } from "@modelcontextprotocol/server";
import type { ElicitationRequest, FormElicitationRequest } from "../../src/contract/contract.ts";
import { isObject } from "../../src/contract/json.ts";
import { type SupportedModes, present } from "../../src/runtime/internal.ts";
import type { ShownAs } from "./answers.ts";
import { onFormView } from "./app/card-run.ts";
import { type McpRevision, writeElicitation } from "../../src/mcp/wire/translate.ts";

/** The modes in which a client can be asked, according to its capabilities. */
export interface ClientModes extends SupportedModes {
  /** Whether it has declared elicitation, perhaps with one mode only. */
  readonly declared: boolean;
}

/** How a client presents one request to its user. */
export type Presentation =
  /** The client is asked with an `elicitation/create` with these `params`. */
  | {
      readonly by: "elicitation";
      readonly params: Readonly<Record<string, unknown>>;
      readonly as: ShownAs;
    }
  /** The result contains a link, which the model passes on. */
  | { readonly by: "text"; readonly url: string }
  /** The client is not asked. `reason` is for the model. */
  | { readonly by: "nothing"; readonly reason: string };

/** Reads the `elicitation` capability of a client. `{}` means form, even with members that the revision does not know. */
export function clientModes(capabilities: unknown, revision: McpRevision): ClientModes {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  if (!isObject(elicitation)) return { declared: false, form: false, url: false };
  const url = revision !== "2025-06-18" && isObject(elicitation["url"]);
  return { declared: true, form: isObject(elicitation["form"]) || !url, url };
}

/** The revision of a session. */
export function revisionOf(version: string | undefined): McpRevision {
  return version !== undefined && version >= "2025-11-25" ? "2025-11-25" : "2025-06-18";
}

/** Writes a request for its client. If the last attempt failed, the reason follows the message. */
export function presentTo(
  { modes, revision, formView }: Presenting,
  request: ElicitationRequest,
  link: string | undefined,
): Presentation {
  const { elicitationId, progress } = request;
  const note = progress?.status === "pending" ? progress.lastError : undefined;
  const message = note === undefined ? request.message : `${request.message}\n\n${note}`;
  const formOf = ({ requestedSchema }: Pick<FormElicitationRequest, "requestedSchema">) =>
    writeElicitation({ mode: "form", message, requestedSchema }, revision);
  // The SDKs of clients refuse a form with other keywords before a user sees it.
  const fits = (form: Pick<FormElicitationRequest, "requestedSchema">) => {
    const written = formOf(form);
    return written.ok && isSpecType.ElicitRequestParams(written.value);
  };
  const how = present(request, { modes, link, fits });
  if (how.as === "link") return { by: "text", url: how.url };
  if (how.as === "refused") return { by: "nothing", reason: how.reason };
  const written =
    how.as === "url"
      ? writeElicitation({ mode: "url", message, url: how.url, elicitationId }, revision)
      : request.mode === "form" && formOf(request);
  if (written === false || !written.ok) return { by: "nothing", reason: "it cannot be asked through MCP" };
  const as = how.as === "url" && how.answers ? "page" : how.as;
  return { by: "elicitation", params: onFormView(formView, written.value), as };
}

/** The client of a request. */
export interface Presenting {
  readonly modes: ClientModes;
  readonly revision: McpRevision;
  /** The view that the client shows for a form (SEP-3118). */
  readonly formView?: string | undefined;
}

/** The request as an entry of `inputRequests` (2026-07-28). `undefined` if it is presented in another way. */
export function inputRequestOf(how: Presentation): InputRequest | undefined {
  if (how.by !== "elicitation") return undefined;
  const { mode, message, url } = how.params;
  if (mode === "url" && typeof message === "string" && typeof url === "string") {
    return inputRequired.elicitUrl({ message, url });
  }
  const request: unknown = { method: "elicitation/create", params: how.params };
  return isSpecType.ElicitRequest(request) ? request : undefined;
}
