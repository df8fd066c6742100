import { type ApiKeyProvider, checkKey } from "./api-key.ts";
import { byAccount, isSameCredential } from "../ports/credentials.ts";
import { ON_PAGE, type PageApp, type PageContext, startUrl } from "../page/context.ts";
import { unavailable } from "../page/identity/identity-gate.ts";
import type { ShowPage } from "../page/context.ts";
import { storing } from "../page/store-account.ts";
import { submissionOf, MAX_FORM_BYTES } from "../page/csrf-forms.ts";

/** The size limit: three bytes for each character of a key, as browsers encode it, plus the other fields. */
const MAX_KEY_FORM_BYTES = 2 * MAX_FORM_BYTES;

/**
 * Handles an API key (contract, section 6). For an open request, the key is checked and stored, and ends the request. For
 * a request that has ended with a key, it replaces that key.
 */
export function addApiKeyRoutes(
  app: PageApp,
  context: PageContext,
  { keys, show }: { keys: ReadonlyMap<string, ApiKeyProvider>; show: ShowPage },
): void {
  const { origin, elicitations, credentials, clock, onError } = context;

  app.post("/auth/connect/key", async (c) => {
    const submitted = await submissionOf(c, context, { maxBytes: MAX_KEY_FORM_BYTES });
    if (submitted instanceof Response) return submitted;
    const { elicitationId, toolId, user, outcome, field } = submitted;
    const provider = byAccount(keys, toolId);
    if (provider === undefined) return unavailable(c, context, { status: 404 });
    const next = c.redirect(startUrl(origin, elicitationId), 303);
    if (outcome !== undefined && outcome !== "accepted") return next;
    const { service, apiKey } = provider;
    const refuse = async (reason: "format" | "refused" | "unchecked") => {
      const { wrongFormat, ...words } = c.get("view").words.apiKey;
      if (reason === "format") {
        return show(c, submitted, { fault: wrongFormat(service, apiKey.format?.prefix ?? "") });
      }
      const fault = words[reason](service);
      // The card in the chat shows the error, too.
      await elicitations.fail(elicitationId, fault, ON_PAGE);
      return show(c, submitted, { fault });
    };
    const checked = await checkKey(field("key") ?? "", provider, context);
    if (!checked.ok) return refuse(checked.reason);
    const store = () => credentials.set(toolId, user.id, { ...checked.credential, connectedAt: clock.now() });
    try {
      if (outcome === "accepted") await store();
      else {
        const { account } = checked.credential;
        const stored = storing(context, submitted, store, async () =>
          isSameCredential(await credentials.get(toolId, user.id), checked.credential),
        );
        await elicitations.complete(elicitationId, stored, { account, ...ON_PAGE });
      }
      return next;
    } catch (error) {
      onError(error);
      // A request whose key could not be stored has ended. Its page shows that.
      return outcome === "accepted" ? refuse("unchecked") : next;
    }
  });
}
