/** The content of a JSON string, without escapes that need a parser (`\u`). */
const TEXT = String.raw`[^"\\\0-\x1f]*(?:\\["\\/bfnrt][^"\\\0-\x1f]*)*`;
const PLAIN_DELTA = /* @__PURE__ */ new RegExp(
  `^data: {"type":"(?:(?:text|reasoning)-delta","id":"${TEXT}","delta|tool-input-delta","toolCallId":"${TEXT}","inputTextDelta)":"${TEXT}"}\n\n$`,
);
/** A pattern that matches millions of escapes overflows the stack of the regex engine. */
const LONGEST = 64 * 1024;

/**
 * Whether an event is a delta in the usual format of servers: JSON that every version of the AI SDK accepts. Nearly all
 * events of a chat are such deltas, and this test is much faster than parsing. `false` means: parse the event.
 */
export function isPlainDelta(event: string): boolean {
  return event.length <= LONGEST && PLAIN_DELTA.test(event);
}
