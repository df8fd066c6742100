import type { Hono } from "hono/tiny";
import type { AssigneeList } from "../../contract/contract.ts";
import { readAssignee } from "../../runtime/request/assignment.ts";
import { jsonReply, notFound, refuse } from "../../base/reply.ts";
import { endedReply, readWrite } from "../../runtime/http/answer-routes.ts";
import type { RouteContext } from "../../runtime/http/route-context.ts";

/** Assigns a question to another user or group, takes it back, or reminds them (contract, section 4). */
export function addAssignRoutes(app: Hono, context: RouteContext): void {
  const { admission, elicitations } = context;

  app.post("/api/elicitations/:id/assignee", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const { user, body } = write;
    const to = readAssignee(body["to"]);
    if (to === undefined) {
      return refuse(400, "to must be { user } or { group }, or null for the user whose agent asks.");
    }
    const elicitationId = c.req.param("id");
    const result = await elicitations.assign(elicitationId, user, to ?? undefined);
    switch (result.kind) {
      case "assigned": {
        const { assignee } = result;
        return jsonReply(200, { success: true, elicitationId, ...(assignee && { assignee }) });
      }
      case "ended":
        return endedReply(result);
      case "forbidden":
        return refuse(
          403,
          "You may not leave this decision to them. `assignees` of this request lists who can decide.",
        );
      default:
        return notFound();
    }
  });

  app.get("/api/elicitations/:id/assignees", async (c) => {
    const reader = await admission.reader(c.req.raw);
    if (reader instanceof Response) return reader;
    const result = await elicitations.assigneesFor(c.req.param("id"), reader.user.id);
    if (result.kind === "unknown") return notFound();
    if (result.kind === "ended") return endedReply(result);
    return jsonReply(200, { assignees: result.choices } satisfies AssigneeList);
  });

  app.post("/api/elicitations/:id/remind", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const elicitationId = c.req.param("id");
    const result = await elicitations.remind(elicitationId, write.user.id);
    switch (result.kind) {
      case "reminded":
        return jsonReply(200, { success: true, elicitationId });
      case "too-soon": {
        const retryAfter = Math.ceil(result.retryAfterMs / 1000);
        const detail = `Their last notice is too recent, or still to come. Remind them in ${retryAfter} seconds.`;
        return refuse(409, detail, { code: "too-soon", retryAfter });
      }
      case "forbidden":
        return refuse(403, "This request waits for nobody who could be reminded of it.");
      case "ended":
        return endedReply(result);
      default:
        return notFound();
    }
  });
}
