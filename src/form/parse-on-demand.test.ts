import { describe, expect, it, vi } from "vitest";
import { parseOnDemand } from "./parse-on-demand.ts";
import { validate } from "./validate.ts";

function parse(pattern: string) {
  const parsed = parseOnDemand({ type: "object", properties: { code: { type: "string", pattern } } });
  if (!parsed.ok) throw new Error(parsed.reasons.map(({ message }) => message).join());
  return parsed.fields;
}

describe("a pattern whose check is loaded on demand", () => {
  it("accepts any text until the check has loaded, and then only matching texts", async () => {
    const fields = parse("^[A-Z]{3}$");
    expect(validate(fields, { code: "nothing" }).ok).toBe(true);
    await vi.dynamicImportSettled();
    expect(validate(fields, { code: "nothing" })).toEqual({
      ok: false,
      errors: { code: { code: "pattern" } },
    });
    expect(validate(fields, { code: "ABC" }).ok).toBe(true);
  });

  it("is left to the server when it is not linear", async () => {
    const fields = parse("^(a+)+$");
    await vi.dynamicImportSettled();
    expect(validate(fields, { code: "b" }).ok).toBe(true);
  });

  it("is not loaded for a form without patterns", () => {
    const parsed = parseOnDemand({ type: "object", properties: { city: { type: "string" } } });
    expect(parsed).toMatchObject({ ok: true, fields: [{ name: "city", pattern: undefined }] });
  });
});
