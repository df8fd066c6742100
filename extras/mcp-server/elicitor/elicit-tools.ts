import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Elicited, ElicitedChoice } from "../../../src/runtime/index.ts";
import { type Eliciting, elicitorFor } from "./eliciting.ts";

const message = z.string().min(1).max(8192).describe("What to ask the user.");

/** The result of the three tools: the answer, or the reason why there is none. */
const outputSchema = z.object({
  outcome: z.enum(["accepted", "declined", "cancelled", "expired", "withdrawn", "failed", "unsupported"]),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  other: z.string().optional(),
});

/** Registers `elicit_choice`, `elicit_input` and `elicit_confirm`: tools that let a model ask the user directly. */
export function registerElicitTools(server: McpServer, eliciting: Eliciting): void {
  const option = z.union([
    z.string(),
    z.object({
      value: z.string(),
      label: z.string(),
      description: z.string().optional(),
      preview: z.string().max(2000).optional().describe("A sketch or draft of the option, as plain text."),
    }),
  ]);
  server.registerTool(
    "elicit_choice",
    {
      title: "Ask the user to choose",
      description: "Asks the user to choose one of several options, and returns the choice.",
      inputSchema: z.object({
        message,
        options: z.array(option).min(1).max(100),
        other: z.boolean().optional().describe("Lets the user answer in their own words instead."),
      }),
      outputSchema,
    },
    eliciting("elicit_choice", async ({ message: asked, options, other = false }, ctx) => {
      const elicitor = elicitorFor(ctx);
      return toResult(
        await (other ? elicitor.choose(asked, options, { other }) : elicitor.choose(asked, options)),
      );
    }),
  );
  server.registerTool(
    "elicit_input",
    {
      title: "Ask the user for text",
      description:
        "Asks the user to type something, and returns it. Never ask for passwords, keys or tokens.",
      inputSchema: z.object({
        message,
        title: z.string().max(200).optional().describe("A label for the field."),
        format: z.enum(["email", "uri", "date", "date-time"]).optional(),
        placeholder: z.string().max(200).optional(),
      }),
      outputSchema,
    },
    eliciting("elicit_input", async ({ message: asked, ...options }, ctx) =>
      toResult(await elicitorFor(ctx).text(asked, options)),
    ),
  );
  server.registerTool(
    "elicit_confirm",
    {
      title: "Ask the user to confirm",
      description: "Asks the user yes or no before something that cannot be undone, and returns the answer.",
      inputSchema: z.object({ message }),
      outputSchema,
    },
    eliciting("elicit_confirm", async ({ message: asked }, ctx) =>
      toResult(await elicitorFor(ctx).confirm(asked)),
    ),
  );
}

function toResult(elicited: Elicited<string | boolean> | ElicitedChoice<string>): CallToolResult {
  const { outcome } = elicited;
  if (outcome !== "accepted") {
    return { content: [{ type: "text", text: elicited.text }], structuredContent: { outcome } };
  }
  const { value } = elicited;
  const answer = value === undefined ? { other: elicited.other } : { value };
  return {
    content: [{ type: "text", text: String(answer.value ?? answer.other) }],
    structuredContent: { outcome, ...answer },
  };
}
