import type { McpSignIn } from "../discovery/mcp-sign-in.ts";
import { DOCUMENT_PATH } from "../discovery/sign-in-paths.ts";
import type { PageApp, PageContext } from "../page/context.ts";
import { unavailable } from "../page/identity/identity-gate.ts";

/** The client id metadata documents, for authorization servers. */
export function addClientDocument(app: PageApp, context: PageContext, signIn: McpSignIn): void {
  app.get(`${DOCUMENT_PATH}:hash`, (c): Response | Promise<Response> => {
    const document = signIn.clientDocument(c.req.path);
    return document === undefined ? unavailable(c, context, { status: 404 }) : c.json(document);
  });
}
