import { type Elicitor, type RunTurn, createElicitor } from "../../../src/runtime/index.ts";
import { text } from "../../stages/test-runtime.ts";

/** A turn that asks with an elicitor and replies with the result as JSON. */
export function asks(ask: (elicitor: Elicitor) => Promise<unknown>): RunTurn {
  return async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield { type: "tool-input-start", toolCallId: "call1", toolName: "book" };
    yield { type: "tool-input-available", toolCallId: "call1", toolName: "book", input: {} };
    const got = await ask(createElicitor({ turn, tool: "book", toolCallId: "call1" }));
    yield { type: "tool-output-available", toolCallId: "call1", output: "ok" };
    yield* text(JSON.stringify(got));
    yield { type: "finish" };
  };
}

/** One line of tool code, for all revisions. */
export const asksForCity = asks((elicitor) => elicitor.text("Where to?", { title: "City", minLength: 2 }));

/** Asks for a secret without the elicitor, as an MCP server behind the agent may do. */
export const asksForPassword: RunTurn = async function* run(turn) {
  const requestedSchema = {
    type: "object",
    properties: { password: { type: "string", title: "Password" } },
    required: ["password"],
  } as const;
  yield { type: "start", messageId: turn.id };
  yield* text(JSON.stringify(await turn.ask({ mode: "form", message: "Sign in", requestedSchema })));
  yield { type: "finish" };
};
