import type { McpSignIn } from "../../sign-in/mcp-sign-in.ts";
import { DOCUMENT_PATH } from "../../sign-in/sign-in-paths.ts";
import type { PageApp, PageContext } from "../context.ts";
import { unavailable } from "../identity/identity-gate.ts";

/** The client id metadata documents, for authorization servers. */
export function addClientDocument(app: PageApp, context: PageContext, signIn: McpSignIn): void {
  app.get(`${DOCUMENT_PATH}:hash`, (c): Response | Promise<Response> => {
    const document = signIn.clientDocument(c.req.path);
    return document === undefined ? unavailable(c, context, { status: 404 }) : c.json(document);
  });
}
