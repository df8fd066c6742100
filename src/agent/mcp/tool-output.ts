import type { CallToolResult } from "@modelcontextprotocol/client";
import { canonical } from "../../base/canonical.ts";
import { isObject } from "../../contract/json.ts";
import { ToolFailure } from "../../base/tool-failure.ts";

/** The limit for a result, because results stay in the conversation that the model reads. */
const MAX_OUTPUT_LENGTH = 256 * 1024;
/** What the model gets of a longer reason of a failed call. */
const MAX_REASON_LENGTH = 2000;

/**
 * The part of a result that the model and the chat get: its text, its structured content, or both if each says something
 * of its own. Servers also write structured content as text, for clients that read no other.
 *
 * @throws if the call has failed, with what the server says about it
 */
export function outputOf({ content, structuredContent, isError }: CallToolResult): unknown {
  const texts = content.map(textOf);
  const text = texts.join("\n");
  const isEmpty = text.trim() === "";
  const structure: unknown = structuredContent ?? undefined;
  const isRepeated = structure !== undefined && repeats(texts, structure);
  const json = structure === undefined ? "" : JSON.stringify(structure);
  if (isError === true) {
    const reason = [isEmpty ? "" : text, isRepeated ? "" : json].filter((part) => part !== "").join("\n");
    if (reason === "") throw new ToolFailure("The tool failed without saying why.");
    const isLong = reason.length > MAX_OUTPUT_LENGTH;
    throw new ToolFailure(isLong ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason);
  }
  const hasText = structure === undefined || (!isEmpty && !isRepeated);
  const length = (hasText ? text.length : 0) + json.length;
  if (length > MAX_OUTPUT_LENGTH) {
    throw new ToolFailure(`The result is too long to read: ${length} characters. Ask for less of it.`);
  }
  if (structure === undefined) return text;
  return hasText ? { text, structuredContent: structure } : structure;
}

function textOf(item: CallToolResult["content"][number]): string {
  const { type } = item;
  if (type === "text") return item.text;
  if (type === "resource_link") return `[${type}] ${item.name}: ${item.uri}`;
  if (type !== "resource") return `[${type}]`;
  const { resource } = item;
  return "text" in resource ? resource.text : `[${type}] ${resource.uri}`;
}

/** Whether the texts say only what the structured content says. */
function repeats(texts: readonly string[], structure: unknown): boolean {
  // The SDKs for Python wrap a value that is no object, and write each item of a list as a text of its own.
  const [wrapped, ...others] = isObject(structure) ? Object.values(structure) : [];
  return [structure, ...(others.length === 0 ? [wrapped] : [])].some(
    (value) =>
      (texts.length === 1 && says(texts[0], value)) ||
      (Array.isArray(value) &&
        value.length === texts.length &&
        value.every((item, index) => says(texts[index], item))),
  );
}

function says(text: string | undefined, value: unknown): boolean {
  if (text === undefined || text.length > MAX_OUTPUT_LENGTH) return false;
  try {
    return text === value || canonical(JSON.parse(text)) === canonical(value);
  } catch {
    return false;
  }
}
