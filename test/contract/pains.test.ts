import { execFileSync } from "node:child_process";
import { parseElicitationResponse } from "elicit-kit/protocol";
import { describe, expect, it } from "vitest";

/** Pains of users of other tools that no room alone is about. The list of all: docs/pains.md. */
describe("an answer", () => {
  it("is a decline, never a reject (mastra-ai/mastra#6796)", () => {
    expect(parseElicitationResponse({ elicitationId: "e1", action: "decline" }).ok).toBe(true);
    expect(parseElicitationResponse({ elicitationId: "e1", action: "reject" }).ok).toBe(false);
  });
});

describe("a form", () => {
  it("is read and checked where no code may be made from strings (typescript-sdk#689)", () => {
    const script = `
      import { checkContent } from ${JSON.stringify(new URL("../../src/form/index.ts", import.meta.url).href)};
      let forbidden = false;
      try { new Function("return 1"); } catch { forbidden = true; }
      const schema = { type: "object", properties: { a: { type: "string", pattern: "^a+$" } }, required: ["a"] };
      console.log(forbidden, JSON.stringify(checkContent(schema, { a: "b" })));`;
    const said = execFileSync(
      process.execPath,
      ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", script],
      { encoding: "utf8" },
    );
    expect(said).toMatch(/^true /);
    expect(said).toContain('"pattern"');
  });
});
