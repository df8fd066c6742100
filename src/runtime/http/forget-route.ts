import type { Hono } from "hono/tiny";
import { jsonReply, notFound } from "../../base/reply.ts";
import type { Remembering } from "../request/remembering.ts";
import { readWrite } from "./answer-routes.ts";
import type { RouteContext } from "./turn-replies.ts";

/**
 * Handles "Ask me again next time": the remembered answer for a request's question is no longer used (contract, section
 * 4).
 */
export function addForgetRoute(app: Hono, context: RouteContext, remembering: Remembering): void {
  app.post("/api/elicitations/:id/forget", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const record = await context.elicitations.find(c.req.param("id"), write.user.id);
    if (record === undefined) return notFound();
    await remembering.forget(record);
    return jsonReply(200, { success: true, elicitationId: record.request.elicitationId });
  });
}
