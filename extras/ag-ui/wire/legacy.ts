/**
 * The older style of LangGraph and Mastra: the agent asks with `CUSTOM` events `on_interrupt`, and
 * `forwardedProps.command` answers.
 */
import { isObject } from "../../../src/contract/json.ts";
import { type AgUiInterrupt, type Answered, payloadOf } from "./translate.ts";

/** Where Mastra resumes a call: it needs the event beside the answer. */
interface SuspendedCall {
  readonly toolCallId: string;
  readonly runId: string;
}

/** The ids of LangGraph: the hash of a place in the graph. LangGraph reads a resume under such keys as one by id. */
const LANGGRAPH_ID = /^[\da-f]{32}$/;

/**
 * Reads the `on_interrupt` events of a run. An event without an id of its own gets one of its run, because two runs may
 * ask different questions. Mastra resumes one call with each run, so only the first of its calls asks.
 */
export function readLegacyInterrupts(
  events: readonly { readonly value: unknown; readonly rawEvent: unknown }[],
  runId: string,
): readonly AgUiInterrupt[] {
  const own = events.map(({ rawEvent }) => (isObject(rawEvent) ? rawEvent["id"] : undefined));
  const interrupts = events.map(({ value }, index) => {
    const id = own[index];
    const isOwn = typeof id === "string" && own.filter((other) => other === id).length === 1;
    return interruptOfLegacy(value, isOwn ? id : `${runId}-${index}`);
  });
  const suspended = interrupts.find((interrupt) => suspendedCallOf(interrupt) !== undefined);
  return suspended === undefined ? interrupts : [suspended];
}

/** Reads an interrupt in the older style: the value of a `CUSTOM` event `on_interrupt`. */
export function interruptOfLegacy(value: unknown, id: string): AgUiInterrupt {
  const read = typeof value === "string" ? jsonOf(value) : value;
  const outer = isObject(read) ? read : {};
  const { responseSchema, response_schema: older, resumeSchema, toolCallId } = outer;
  const schema =
    responseSchema ?? older ?? (typeof resumeSchema === "string" ? jsonOf(resumeSchema) : resumeSchema);
  // Mastra wraps the payload of a tool.
  const isMastra = Object.hasOwn(outer, "suspendPayload");
  return {
    id,
    reason: isMastra ? "mastra:tool_suspend" : "langgraph:interrupt",
    ...(typeof toolCallId === "string" && { toolCallId }),
    ...(isObject(schema) && { responseSchema: { ...schema } }),
    metadata: isMastra ? { mastra: { ...outer } } : { langgraph: { raw: read } },
  };
}

/** Writes the answers to all interrupts of a run. */
export function writeLegacyResume(answered: readonly Answered[]): {
  forwardedProps: { command: { resume: unknown; interruptEvent?: SuspendedCall } };
} {
  const [first] = answered;
  const interruptEvent = first && suspendedCallOf(first.interrupt);
  if (first !== undefined && interruptEvent !== undefined) {
    // Mastra ends a call that is not answered.
    const resume = first.answer?.action === "accept" ? payloadOf(first) : false;
    return { forwardedProps: { command: { resume, interruptEvent } } };
  }
  const values = answered.map((one) =>
    one.answer?.action === "accept" ? payloadOf(one) : { action: one.answer?.action ?? "cancel" },
  );
  const ids = answered.map(({ interrupt }) => interrupt.id);
  // LangGraph gives a list to every node that waits, and its adapter reads a text as JSON if it can.
  const isById = ids.every((id) => LANGGRAPH_ID.test(id)) && (values.length > 1 || isReadAsJson(values[0]));
  const byId = () => Object.fromEntries(ids.map((id, index) => [id, values[index]]));
  const inOrder = () => (values.length === 1 ? values[0] : values);
  return { forwardedProps: { command: { resume: isById ? byId() : inOrder() } } };
}

function suspendedCallOf({ metadata }: AgUiInterrupt): SuspendedCall | undefined {
  const { toolCallId, runId } = isObject(metadata?.["mastra"]) ? metadata["mastra"] : {};
  return typeof toolCallId === "string" && typeof runId === "string" ? { toolCallId, runId } : undefined;
}

function isReadAsJson(value: unknown): boolean {
  return typeof value === "string" && jsonOf(value) !== value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
