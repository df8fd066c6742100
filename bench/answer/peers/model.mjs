/**
 * The scripted model of `bench/load/model.ts` as AG-UI events: it calls the tool, and writes one word when it has the
 * result.
 */
export function* events(isAnswered) {
  if (isAnswered) {
    yield { type: "TEXT_MESSAGE_START", messageId: "done", role: "assistant" };
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: "done", delta: "Done." };
    yield { type: "TEXT_MESSAGE_END", messageId: "done" };
    return;
  }
  yield { type: "TOOL_CALL_START", toolCallId: "call", toolCallName: "book_flight" };
  yield { type: "TOOL_CALL_ARGS", toolCallId: "call", delta: "{}" };
  yield { type: "TOOL_CALL_END", toolCallId: "call" };
}
