import type { Hono } from "hono/tiny";
import { jsonReply } from "../../base/reply.ts";
import type { Remembering } from "../request/remembering.ts";
import { readWrite } from "./answer-routes.ts";
import type { RouteContext } from "./turn-replies.ts";

/**
 * Handles "Ask me again next time": a remembered answer of this user is no longer used (contract, section 4). The path names
 * the answer and not a request, because a receipt in a history outlives the record of its request.
 */
export function addForgetRoute(app: Hono, context: RouteContext, remembering: Remembering): void {
  app.post("/api/remembered/:id/forget", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    await remembering.remove(write.user.id, c.req.param("id"));
    return jsonReply(200, { success: true });
  });
}
