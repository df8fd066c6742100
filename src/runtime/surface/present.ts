import { parseRequestedSchema } from "../../form/index.ts";
import { asksForNamedSecret } from "../../form/secrets.ts";
import type { FormElicitationRequest, UrlElicitationRequest } from "../../contract/contract.ts";
import type { SupportedModes } from "../request/question.ts";
import type { AskedForm, TurnStart } from "../turn/surface.ts";

/** What decides how a request is shown. */
export type Showable =
  | (AskedForm & Pick<FormElicitationRequest, "mode">)
  | Pick<UrlElicitationRequest, "mode" | "url">;

/** How the client of a surface can be asked. */
export interface Showing {
  /** The modes that the client shows itself. */
  readonly modes: SupportedModes;
  /** The answer page of the request, if the operator has one. */
  readonly link: string | undefined;
  /** Whether a link in a text reaches the user. @default true */
  readonly showsLinks?: boolean | undefined;
  /** Whether the protocol has a place for each field of the form. @default () => true */
  readonly fits?: ((form: AskedForm) => boolean) | undefined;
}

/** How one request reaches the user. */
export type Presented =
  | { readonly as: "form" }
  /** A page that the client opens. `answers`: the answer page, which stands in for a form. */
  | { readonly as: "url"; readonly url: string; readonly answers: boolean }
  /** A link in a text: the client does not know that the user is asked. */
  | { readonly as: "link"; readonly url: string }
  /** Not at all. `reason` is for the model. */
  | { readonly as: "refused"; readonly reason: string };

/**
 * The modes that can be asked in a turn whose client shows `modes`. Where the runtime has an answer page, a link to it
 * stands in for a mode that the client lacks: one that the client opens as a page, or one in a text.
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
 * Decides how a request reaches the user, for every protocol. A form that asks for a secret is never shown by a client:
 * what the user types there passes through programs of others.
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

/** Why the client must not show the form. `undefined`: it may. */
function obstacleTo(request: AskedForm, { modes, fits }: Showing): string | undefined {
  if (!modes.form) return 'the client cannot show forms: it does not support the mode "form"';
  const secret = refuseSecrets(request);
  if (secret !== undefined) return secret;
  const isReadable = parseRequestedSchema(request.requestedSchema).ok;
  return isReadable && fits?.(request) !== false ? undefined : "the client cannot show this form";
}

/** Why a client must not show a form that asks for a secret. `undefined`: it asks for none. */
export function refuseSecrets({ message, requestedSchema }: AskedForm): string | undefined {
  const form = parseRequestedSchema(requestedSchema);
  if (!form.ok || !asksForNamedSecret(form.fields, message)) return undefined;
  return "the form asks for a secret, which clients of this kind must not be asked for";
}
