/** The inside of a JSON string, without the escapes that need a parser (`\u`). */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\["\\/bfnrt][^"\\\0-\x1f]*)*`;
const PLAIN_DELTA = /* @__PURE__ */ new RegExp(
  `^data: {"type":"(?:(?:text|reasoning)-delta","id":"${TEXT}","delta|tool-input-delta","toolCallId":"${TEXT}","inputTextDelta)":"${TEXT}"}\n\n$`,
);
/** A pattern that meets millions of escapes overflows the stack of the engine. */
const LONGEST = 64 * 1024;

/**
 * Whether an event is a delta in the form that servers write: JSON that every version of the AI SDK accepts. Nearly all
 * events of a chat are, and this test costs a fraction of parsing them. `false` means: parse the event.
 */
export function isPlainDelta(event: string): boolean {
  return event.length <= LONGEST && PLAIN_DELTA.test(event);
}
