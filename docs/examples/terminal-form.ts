import { type Draft, type Field, parseRequestedSchema, validate } from "elicit-kit/form";
import type { ElicitationResponse, FormElicitationRequest } from "elicit-kit/contract";
import { type Terminal, plain } from "./terminal-chat.ts";

/** Asks each question of a form as a prompt, and repeats it until the answer is valid. `/no` declines. */
export async function askForm(
  { elicitationId, requestedSchema }: FormElicitationRequest,
  { print, ask }: Terminal,
): Promise<ElicitationResponse> {
  const schema = parseRequestedSchema(requestedSchema);
  // Users can still cancel a form that cannot be shown.
  if (!schema.ok) return { elicitationId, action: "cancel" };
  for (;;) {
    const drafts: Record<string, Draft> = Object.create(null);
    for (const field of schema.fields) {
      const line = await ask(`${plain(field.label)}${hintOf(field)}: `);
      if (line === "/no") return { elicitationId, action: "decline" };
      if (line !== "") drafts[field.name] = draftOf(field, line);
    }
    const checked = validate(schema.fields, drafts);
    if (checked.ok) return { elicitationId, action: "accept", content: checked.content };
    for (const [name, { code }] of Object.entries(checked.errors)) print(plain(`${name}: ${code}`));
  }
}

function hintOf(field: Field): string {
  if (field.kind === "boolean") return " (yes or no)";
  return "options" in field ? ` (${plain(field.options.map(({ value }) => value).join(", "))})` : "";
}

function draftOf(field: Field, line: string): Draft {
  if (field.kind === "boolean") return line === "yes";
  return field.kind === "multi-choice" ? line.split(",").map((value) => value.trim()) : line;
}
