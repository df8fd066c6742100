/** "You decide" stays where the protocol of a client cannot carry it: its users decide (contract, section 4). */
import { expect, test } from "vitest";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { writeQuestions } from "../../src/a2a/wire/translate.ts";
import { writeElicitation as writeAcp } from "../../extras/acp/wire/translate.ts";
import { writeInterrupt } from "../../extras/ag-ui/wire/translate.ts";
import { writeElicitation as writeMcp } from "../../src/mcp/wire/translate.ts";

const request = formRequest({ delegate: true });

const written: Readonly<Record<string, unknown>> = {
  MCP: writeMcp(request, "2025-11-25"),
  A2A: writeQuestions([request]),
  ACP: writeAcp(request, "session"),
  "AG-UI": writeInterrupt(request, 1),
};

test.each(Object.entries(written))(
  "a client of %s is asked, and is not offered to leave the decision",
  (_, message) => {
    expect(JSON.stringify(message)).toContain(request.message);
    expect(JSON.stringify(message)).not.toContain("delegate");
  },
);
