import type { Hono } from "hono/tiny";
import { isId } from "../../base/ids.ts";
import { isObject } from "../../contract/json.ts";
import { jsonReply, notFound, refuse } from "../../base/reply.ts";
import type { Assignee } from "../ports/record.ts";
import { endedReply, readWrite } from "./answer-routes.ts";
import type { RouteContext } from "./turn-replies.ts";

/** Gives a question to somebody else, or takes it back (contract, section 4). */
export function addAssignRoute(app: Hono, context: RouteContext): void {
  app.post("/api/elicitations/:id/assignee", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const { user, body } = write;
    const to = readAssignee(body["to"]);
    if (to === undefined) {
      return refuse(400, "to must be { user } or { group }, or null for the user whose agent asks.");
    }
    const elicitationId = c.req.param("id");
    const result = await context.elicitations.assign(elicitationId, user, to ?? undefined);
    switch (result.kind) {
      case "assigned": {
        const assignee = result.name === undefined ? undefined : { name: result.name };
        return jsonReply(200, { success: true, elicitationId, ...(assignee && { assignee }) });
      }
      case "ended":
        return endedReply(result);
      case "forbidden":
        return refuse(403, "You may not leave this decision to them.");
      default:
        return notFound();
    }
  });
}

/** `null`: the user whose agent asks. `undefined`: malformed. */
function readAssignee(to: unknown): Assignee | null | undefined {
  if (to === null) return null;
  if (!isObject(to)) return undefined;
  const { user, group } = to;
  if (isId(user) && group === undefined) return { user };
  return isId(group) && user === undefined ? { group } : undefined;
}
