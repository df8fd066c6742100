/** The inside of a JSON string, without the escapes that need a parser (`\u`). */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\["\\/bfnrt][^"\\\0-\x1f]*)*`;
const PLAIN_DELTA = /* @__PURE__ */ new RegExp(
  `^data: {"type":"(?:(?:text|reasoning)-delta","id":"${TEXT}","delta|tool-input-delta","toolCallId":"${TEXT}","inputTextDelta)":"${TEXT}"}\n\n$`,
);

/**
 * Whether an event is a delta in the form that servers write it: JSON that every version of the AI SDK takes. Nearly
 * all events of a chat are, and this costs a fraction of parsing them. `false` says nothing.
 */
export function isPlainDelta(event: string): boolean {
  return PLAIN_DELTA.test(event);
}
