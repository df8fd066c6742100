import { parseRequestedSchema } from "../../form/index.ts";
import { asksForNamedSecret } from "../../form/secrets.ts";
import type { FormElicitationRequest, UrlElicitationRequest } from "../../contract/contract.ts";
import type { SupportedModes } from "../ask/question.ts";
import type { AskedForm, TurnStart } from "../turn/surface.ts";

/** The parts of a request that decide how it is shown. */
export type Showable =
  | (AskedForm & Pick<FormElicitationRequest, "mode">)
  | Pick<UrlElicitationRequest, "mode" | "url">;

/** The ways in which the client of a surface can be asked. */
export interface Showing {
  /** The modes that the client shows itself. */
  readonly modes: SupportedModes;
  /** The answer page of the request, if the operator has one. */
  readonly link: string | undefined;
  /** Whether a link in a text reaches the user. @default true */
  readonly showsLinks?: boolean | undefined;
  /** Whether the protocol supports each field of the form. @default () => true */
  readonly fits?: ((form: AskedForm) => boolean) | undefined;
}

/** How one request reaches the user. */
export type Presented =
  | { readonly as: "form" }
  /** The client opens a page. `answers`: whether it is the answer page, which replaces a form. */
  | { readonly as: "url"; readonly url: string; readonly answers: boolean }
  /** A text contains a link. The client itself does not know that the user is asked. */
  | { readonly as: "link"; readonly url: string }
  /** The user is not asked. `reason` is for the model. */
  | { readonly as: "refused"; readonly reason: string };

/**
 * The modes that can be asked in a turn whose client shows `modes`. If the runtime has an answer page, a link to it
 * replaces a mode that the client lacks. The client opens the link as a page, or it is part of a text.
 */
export function supportsOf(
  modes: SupportedModes,
  { hasAnswerPage, showsLinks = true }: { hasAnswerPage: boolean; showsLinks?: boolean },
): TurnStart["supports"] {
  const url = modes.url || (hasAnswerPage && showsLinks);
  const answersOnPage = hasAnswerPage && url;
  return { url, form: modes.form || answersOnPage, secrets: answersOnPage };
}

/**
 * Decides how a request reaches the user, for every protocol. A form that asks for a secret is never shown by a client,
 * because the input passes through third-party programs.
 */
export function present(request: Showable, showing: Showing): Presented {
  const { modes, link, showsLinks = true } = showing;
  if (request.mode === "url") {
    if (modes.url) return { as: "url", url: request.url, answers: false };
    if (showsLinks && link !== undefined) return { as: "link", url: request.url };
    return { as: "refused", reason: 'the client cannot open pages: it does not support the mode "url"' };
  }
  const obstacle = obstacleTo(request, showing);
  if (obstacle === undefined) return { as: "form" };
  if (link === undefined) return { as: "refused", reason: obstacle };
  if (modes.url) return { as: "url", url: link, answers: true };
  return showsLinks ? { as: "link", url: link } : { as: "refused", reason: obstacle };
}

/** Why the client must not show the form. `undefined`: it may show it. */
function obstacleTo(request: AskedForm, { modes, fits }: Showing): string | undefined {
  if (!modes.form) return 'the client cannot show forms: it does not support the mode "form"';
  const secret = refuseSecrets(request);
  if (secret !== undefined) return secret;
  const isReadable = parseRequestedSchema(request.requestedSchema).ok;
  return isReadable && fits?.(request) !== false ? undefined : "the client cannot show this form";
}

/** Why a client must not show a form that asks for a secret. `undefined`: the form asks for none. */
export function refuseSecrets({ message, requestedSchema }: AskedForm): string | undefined {
  const form = parseRequestedSchema(requestedSchema);
  if (!form.ok || !asksForNamedSecret(form.fields, message)) return undefined;
  return "the form asks for a secret, which clients of this kind must not be asked for";
}
