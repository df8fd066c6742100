import { type DynamicToolUIPart, getToolName, isToolUIPart, type ToolUIPart, type UIMessage } from "ai";
import { isOpen } from "elicit-kit/client";
import type { BoundElicitation } from "elicit-kit";
import { isRefusal } from "../refusal.ts";

type Part = UIMessage["parts"][number];
export type ToolPart = ToolUIPart | DynamicToolUIPart;

/** One row of a message: text, or a tool call with its requests. */
export type Step =
  | { readonly kind: "text"; readonly key: string; readonly text: string }
  | {
      readonly kind: "call";
      readonly key: string;
      /** Absent if no tool call asked. A call may arrive after its request. */
      readonly part: ToolPart | undefined;
      readonly asks: readonly BoundElicitation[];
    };

/**
 * The rows of a message. A request is beside its tool call, wherever the stream contains it. The key of a row stays the
 * same when its tool call arrives, so that the card keeps the focus.
 */
export function stepsOf({ parts }: UIMessage, elicitations: readonly BoundElicitation[]): readonly Step[] {
  const byId = new Map(elicitations.map((elicitation) => [elicitation.id, elicitation]));
  const asked = parts.flatMap((part) => byId.get(requestIn(part) ?? "") ?? []);
  const calls = new Map(parts.flatMap((part) => (isToolUIPart(part) ? [[part.toolCallId, part]] : [])));
  const rows = new Set<string>();
  return parts.flatMap((part, index): Step[] => {
    if (part.type === "text") return [{ kind: "text", key: String(index), text: part.text }];
    const request = asked.find(({ id }) => id === requestIn(part));
    const key = isToolUIPart(part) ? part.toolCallId : request && rowOf(request);
    if (key === undefined || rows.has(key)) return [];
    rows.add(key);
    return [{ kind: "call", key, part: calls.get(key), asks: asked.filter((one) => rowOf(one) === key) }];
  });
}

function rowOf({ id, request }: BoundElicitation): string {
  return request.toolCallId ?? id;
}

/** The id of the request that a part contains. */
function requestIn(part: Part): string | undefined {
  return part.type === "data-elicitation-request" && "id" in part ? part.id : undefined;
}

export type ToolState = "running" | "waiting" | "done" | "refused" | "failed" | "stopped";

/** @param turnIsOpen whether the turn is running; the calls of a stopped turn never end */
export function toolStateOf(
  part: ToolPart,
  asks: readonly BoundElicitation[],
  turnIsOpen: boolean,
): ToolState {
  if (asks.some(isOpen)) return "waiting";
  if (part.state === "output-error") return "failed";
  if (part.state !== "output-available") return turnIsOpen ? "running" : "stopped";
  // The receipt shows how the request ended.
  return isRefusal(part.output) ? "refused" : "done";
}

/** A tool's name without its prefix: agents add the name of the server. */
export function ownNameOf(part: ToolPart, names: readonly string[]): string | undefined {
  const full = getToolName(part);
  return names.find((name) => full === name || full.endsWith(`_${name}`) || full.endsWith(`.${name}`));
}

/** The tool's name as words, for tools without a translation: `list_my_issues` becomes "List my issues". */
export function spelledOut(part: ToolPart): string {
  const words = getToolName(part)
    .replaceAll(/[._-]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a tool has made: an issue with its number, or a booking with its detail. */
export type Made =
  | { readonly number: number; readonly title: string }
  | { readonly name: string; readonly detail: string };

export function madeBy({ output }: ToolPart): Made | undefined {
  // An MCP server may say the same in words as well.
  const { structuredContent = output }: { structuredContent?: unknown } = Object(output);
  const { number, title, name, detail }: Record<"number" | "title" | "name" | "detail", unknown> =
    Object(structuredContent);
  if (typeof number === "number" && typeof title === "string") return { number, title };
  if (typeof name === "string" && typeof detail === "string") return { name, detail };
  return undefined;
}
