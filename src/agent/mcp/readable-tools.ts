import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject } from "../../contract/json.ts";

/** Marks a tool that {@link withReadableTools} has put in the place of one that cannot be read. */
const UNREADABLE = "elicit-kit/unreadable";
/** What reads a deeper schema, such as the SDK's client and JSON.stringify, may run out of stack. */
const MAX_DEPTH = 100;

/** The lists that have been made readable. A handler of messages may call the one before it. */
const made = new WeakSet<JSONRPCMessage>();

/**
 * Makes a list of tools readable. The SDK's client rejects a whole list for one mistake, also in the parts of a tool that
 * a call does not need. So each tool gets only the parts that the agent reads, if they are well-formed, and a tool that
 * cannot be called is marked.
 */
export function withReadableTools(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || made.has(message)) return message;
  // No other result of a server has tools, except what a tool itself may add to its own.
  const { tools, content, nextCursor, ...rest } = message.result;
  if (!Array.isArray(tools) || content !== undefined) return message;
  const cursor = typeof nextCursor === "string" ? { nextCursor } : {};
  const mended = { ...message, result: { ...rest, ...cursor, tools: tools.map(readable) } };
  made.add(mended);
  return mended;
}

/** Whether a tool of a list could not be read. It has only its name, if it had one. */
export function isUnreadable({
  _meta: meta,
}: {
  _meta?: Readonly<Record<string, unknown>> | undefined;
}): boolean {
  return meta?.[UNREADABLE] === true;
}

function readable(tool: unknown): unknown {
  const { name, title, description, inputSchema, annotations, execution } = isObject(tool) ? tool : {};
  const schema = schemaOf(inputSchema);
  if (typeof name !== "string" || schema === undefined) {
    const known = typeof name === "string" ? name : "";
    return { name: known, inputSchema: { type: "object" }, _meta: { [UNREADABLE]: true } };
  }
  const hints = isObject(annotations) ? annotations : {};
  const isTask = isObject(execution) && execution["taskSupport"] === "required";
  return {
    name,
    ...textIn({ title, description }),
    inputSchema: schema,
    annotations: {
      ...textIn({ title: hints["title"] }),
      ...flagsIn({ readOnlyHint: hints["readOnlyHint"], destructiveHint: hints["destructiveHint"] }),
    },
    ...(isTask && { execution: { taskSupport: "required" } }),
  };
}

/** The schema of an object. Servers leave out its type, may write null for what is absent, and in PHP an empty list. */
function schemaOf(schema: unknown): unknown {
  if (schema === undefined) return { type: "object" };
  if (!isObject(schema) || isDeeper(schema, MAX_DEPTH)) return undefined;
  const { type = "object", properties, required, $schema, ...rest } = schema;
  if (type !== "object" && !(Array.isArray(type) && type.includes("object"))) return undefined;
  if (!isObject(properties) && !isNothing(properties)) return undefined;
  const names = Array.isArray(required) && required.every((name) => typeof name === "string");
  if (!names && !isNothing(required)) return undefined;
  return {
    ...textIn({ $schema }),
    ...rest,
    type: "object",
    ...(isObject(properties) && { properties }),
    ...(names && { required }),
  };
}

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth === 0 || Object.values(value).some((one) => isDeeper(one, depth - 1)));

const isNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const textIn = (values: Readonly<Record<string, unknown>>) =>
  only(values, (value) => typeof value === "string");
const flagsIn = (values: Readonly<Record<string, unknown>>) =>
  only(values, (value) => typeof value === "boolean");

function only(values: Readonly<Record<string, unknown>>, isWanted: (value: unknown) => boolean) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isWanted(value)));
}
