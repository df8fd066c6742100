import { isObject } from "../../../src/contract/json.ts";

/** Names that agents give to the words of a question, the most telling first. */
const NAMES = ["message", "question", "prompt", "description", "text", "title", "reason"];

/** The words of an interrupt. Adapters that leave out `message` keep the value of the agent in the metadata. */
export function messageOf({ message, metadata }: { message?: unknown; metadata?: unknown }): string {
  if (typeof message === "string") return message;
  const { mastra, langgraph } = isObject(metadata) ? metadata : {};
  const payload = isObject(mastra) ? mastra["suspendPayload"] : undefined;
  return wordsOf(payload) ?? wordsOf(isObject(langgraph) ? langgraph["raw"] : undefined) ?? "";
}

/** The words in the value of an agent: a text, a member with a usual name, or the only text among the members. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (Array.isArray(value)) return joined(value);
  if (!isObject(value)) return undefined;
  for (const name of NAMES) {
    const words = value[name];
    if (typeof words === "string" && words !== "") return words;
  }
  // The calls that LangChain's middleware asks to approve.
  if (Array.isArray(value["actionRequests"])) return joined(value["actionRequests"]);
  const texts = Object.values(value).filter((member) => typeof member === "string" && member !== "");
  const [only] = texts;
  return texts.length === 1 && typeof only === "string" ? only : undefined;
}

function joined(values: readonly unknown[]): string | undefined {
  const words = values.flatMap((value) => wordsOf(value) ?? []);
  return words.length === 0 ? undefined : words.join("\n\n");
}
