const encoder = new TextEncoder();

/** What stands around the two texts of a delta, as `JSON.stringify` writes it. */
const FORMS = [
  { type: "text-delta", id: "id", delta: "delta" },
  { type: "reasoning-delta", id: "id", delta: "delta" },
  { type: "tool-input-delta", id: "toolCallId", delta: "inputTextDelta" },
].map(({ type, id, delta }) => ({
  head: encoder.encode(`data: {"type":"${type}","${id}":"`),
  middle: encoder.encode(`","${delta}":"`),
}));
const TAIL = encoder.encode('"}\n\n');

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`; not `u`. */
const ESCAPED = new Set(encoder.encode('"\\/bfnrt'));

/**
 * Whether an event is a delta in the form that servers write it: JSON that every version of the AI SDK takes. Nearly
 * all events of a chat are, and looking at the bytes costs a fraction of decoding and parsing them. `false` says
 * nothing.
 */
export function isPlainDelta(event: Uint8Array): boolean {
  for (const { head, middle } of FORMS) {
    if (!standsAt(event, 0, head)) continue;
    const id = endOfText(event, head.length);
    if (!standsAt(event, id, middle)) return false;
    const delta = endOfText(event, id + middle.length);
    return standsAt(event, delta, TAIL) && delta + TAIL.length === event.length;
  }
  return false;
}

/** Where the quote is that ends a JSON string; beyond the end when there is none, or something that needs a parser. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH && !ESCAPED.has(bytes[++at] ?? 0)) break;
    if (byte < SPACE) break;
  }
  return bytes.length;
}

function standsAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}
