import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import { checkContent } from "../../../src/form/check-content.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { AnswerReply, NextReply } from "../../../src/mcp/wire/app.ts";
import { CARD_TOOLS } from "../../../src/mcp/wire/app.ts";

const ID = z.string().min(1).max(128);
const args = z.record(z.string(), z.unknown());

const round = z.object({
  call: ID,
  version: z.int(),
  tool: z.string().max(256),
  arguments: args,
  requestState: z.string(),
  inputRequests: args,
  expiresAt: z.string().optional(),
});

export const nextInput = z.object({
  view: ID.describe("A random name that the view gives itself."),
  seen: z.int().describe("The version that the view shows. -1: none."),
  call: ID.optional(),
  requestId: z.union([z.string(), z.number()]).optional(),
  tool: z.string().max(256).optional(),
  arguments: args.optional(),
});

export const answerInput = z.object({
  view: ID,
  call: ID,
  version: z.int(),
  responses: args,
  handed: round.optional(),
  delivered: z
    .boolean()
    .optional()
    .describe("Whether the host has accepted the result that the view got. Then there are no answers."),
});

export const resultInput = z.object({
  call: ID.describe("The call that the earlier result named."),
});

/** The tools of the card. Two of them are for the view and hidden from the model, which must not answer for the user. */
export const cardToolDefinitions: readonly Tool[] = [
  {
    name: CARD_TOOLS.next,
    title: "What the card asks",
    description: "For the card in the conversation: waits for the next question of its call.",
    inputSchema: schemaOf(nextInput),
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { ui: { visibility: ["app"] } },
  },
  {
    name: CARD_TOOLS.answer,
    title: "Answer of the user",
    description: "For the card in the conversation: sends the user's answer.",
    inputSchema: schemaOf(answerInput),
    annotations: { idempotentHint: true, destructiveHint: false, openWorldHint: false },
    _meta: { ui: { visibility: ["app"] } },
  },
  {
    name: CARD_TOOLS.result,
    title: "Wait for the user",
    description:
      "Waits for the user to answer the card of an earlier call, and returns the result of that call. Call it only when a result says so.",
    inputSchema: schemaOf(resultInput),
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { ui: { visibility: ["model"] } },
  },
];

/** The reply of a tool of the view. */
export function replyResult(reply: NextReply | AnswerReply): CallToolResult {
  return { content: [{ type: "text", text: "For the card." }], structuredContent: { ...reply } };
}

/** Returns the first answer that does not fit its form. `undefined`: all fit, as far as the questions allow a check. */
export function misfitOf(
  inputRequests: Readonly<Record<string, unknown>>,
  responses: Readonly<Record<string, unknown>>,
): Extract<AnswerReply, { kind: "refused" }> | undefined {
  for (const [key, request] of Object.entries(inputRequests)) {
    const params = isObject(request) ? request["params"] : undefined;
    const response = responses[key];
    if (!isObject(params) || !isObject(response) || response["action"] !== "accept") continue;
    if (params["requestedSchema"] === undefined) continue;
    const checked = checkContent(params["requestedSchema"], response["content"]);
    if (!checked.ok) return { kind: "refused", key, errors: checked.errors };
  }
  return undefined;
}

function schemaOf(schema: z.ZodType): Tool["inputSchema"] {
  // The schema without the `$schema` that zod writes.
  const { properties, required } = z.toJSONSchema(schema, { io: "input" });
  return { type: "object", properties: JSON.parse(JSON.stringify(properties)), required: required ?? [] };
}
