import { ON_PAGE, type PageApp, type PageContext, startUrl } from "./context.ts";
import { verifiedForm } from "./csrf-forms.ts";
import { EXTEND_PATH } from "./more-time.ts";

/** Handles "More time" of a page without answers (contract, section 6). */
export function addExtendRoute(app: PageApp, context: PageContext): void {
  app.post(EXTEND_PATH, async (c) => {
    const submitted = await verifiedForm(c, context);
    if (submitted instanceof Response) return submitted;
    const { elicitationId, viewer } = submitted;
    await context.elicitations.extend(elicitationId, viewer.user.id, ON_PAGE);
    return c.redirect(startUrl(context.origin, elicitationId), 303);
  });
}
