/** MCP servers whose language writes null, or an empty list, for what is absent. */
import { expect } from "vitest";
import { readElicitation } from "../../src/mcp/wire/translate.ts";
import { fieldCase } from "./field-case.ts";

const message = "Where to?";
const city = { type: "object", properties: { city: { type: "string" } } };

fieldCase(
  { sources: ["opencode-ai/opencode#278", "coder/coder#23538"], before: "failed" },
  "a question of an MCP server in Go whose mode or list of required fields is null is asked",
  () => {
    const asked = { ok: true, value: { mode: "form", message, requestedSchema: city } };
    expect(readElicitation({ message, requestedSchema: { ...city, required: null } })).toEqual(asked);
    expect(readElicitation({ mode: null, message, requestedSchema: city })).toEqual(asked);
    expect(readElicitation({ message, requestedSchema: { ...city, required: "city" } }).ok).toBe(false);
  },
);

fieldCase(
  { sources: ["modelcontextprotocol/php-sdk#405", "shopware/shopware#18713"], before: "failed" },
  "a question of an MCP server in PHP whose properties are an empty list is asked",
  () => {
    const requestedSchema = { type: "object", properties: [] };
    expect(readElicitation({ message, requestedSchema })).toEqual({
      ok: true,
      value: { mode: "form", message, requestedSchema: { type: "object", properties: {} } },
    });
    expect(readElicitation({ message, requestedSchema: { ...city, properties: ["city"] } }).ok).toBe(false);
  },
);
