import { isObject } from "../../contract/json.ts";

/** What the user has changed before they approved a call, by argument. */
export type Changes = Readonly<Record<string, { readonly proposed: unknown; readonly approved: unknown }>>;

/** The member that an output of the form of an object gets. */
const MEMBER = "changedByUser";
const NOTE = "\n\nBefore approving, the user changed: ";

export function differences(before: object, after: object, names: readonly string[]): Changes {
  return Object.fromEntries(
    names.map((name) => [name, { proposed: valueOf(before, name), approved: valueOf(after, name) }] as const),
  );
}

function valueOf(values: object, name: string): unknown {
  return Object.hasOwn(values, name) ? Reflect.get(values, name) : null;
}

/** Adds the changes to the output of a tool, because the model has only its own arguments. */
export function withChanges(output: unknown, changes: Changes | undefined): unknown {
  if (changes === undefined) return output;
  if (typeof output === "string") return `${output}${NOTE}${JSON.stringify(changes)}`;
  return isObject(output) ? { ...output, [MEMBER]: changes } : { output, [MEMBER]: changes };
}

/**
 * Wraps `toModelOutput` of a tool, which chooses what the model reads of an output and would leave the changes out.
 */
export function keepingChanges(toModelOutput: (given: unknown) => unknown): (given: unknown) => unknown {
  return async (given) => {
    // AI SDK 5 passes the output itself.
    const isCall = isObject(given) && "toolCallId" in given && "output" in given;
    const { own, changes } = split(isCall ? given["output"] : given);
    const made: unknown = await toModelOutput(isCall ? { ...given, output: own } : own);
    if (changes === undefined || !isObject(made)) return made;
    const { type, value } = made;
    if (type === "content" && Array.isArray(value)) {
      return { ...made, value: [...value, { type: "text", text: `${NOTE.trim()} ${changes}` }] };
    }
    if (type === "text") return { ...made, value: `${String(value)}${NOTE}${changes}` };
    return type === "json" ? { ...made, value: withChanges(value, JSON.parse(changes)) } : made;
  };
}

/** The output as the tool has made it, and the changes as JSON. */
function split(output: unknown): { readonly own: unknown; readonly changes: string | undefined } {
  if (typeof output === "string") {
    const at = output.lastIndexOf(NOTE);
    return at === -1
      ? { own: output, changes: undefined }
      : { own: output.slice(0, at), changes: output.slice(at + NOTE.length) };
  }
  if (!isObject(output) || output[MEMBER] === undefined) return { own: output, changes: undefined };
  const { [MEMBER]: changes, ...own } = output;
  const isWrapped = Object.keys(own).length === 1 && "output" in own;
  return { own: isWrapped ? own["output"] : own, changes: JSON.stringify(changes) };
}
