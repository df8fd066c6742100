import { describe, expect, it, vi } from "vitest";
import { type Drafts, initialDrafts, parseRequestedSchema } from "../../form/index.ts";
import type { ElicitationContent } from "../../contract/contract.ts";
import { createFormState, stateOf } from "./form-state.ts";

function formOf(
  properties: object,
  options: {
    required?: string[];
    hasSecrets?: boolean;
    drafts?: Drafts | undefined;
    proposed?: ElicitationContent;
  } = {},
) {
  const parsed = parseRequestedSchema({ type: "object", properties, required: options.required ?? [] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reasons));
  const onChange = vi.fn<(drafts: Drafts) => void>();
  const form = createFormState({
    fields: parsed.fields,
    drafts: options.drafts ?? initialDrafts(parsed.fields),
    hasSecrets: options.hasSecrets ?? false,
    proposed: options.proposed,
    onChange,
  });
  return { form, onChange };
}

const email = { type: "string", format: "email" };

describe("createFormState", () => {
  it("starts with the defaults and sends them", () => {
    const { form } = formOf({
      city: { type: "string", default: "Lisbon" },
      guests: { type: "integer", default: 2 },
    });
    expect(stateOf(form.answers(), "city").draft).toBe("Lisbon");
    expect(form.submit()).toEqual({ ok: true, content: { city: "Lisbon", guests: 2 } });
  });

  it("fills in a proposal, but never over the user's own input", () => {
    const { form, onChange } = formOf({
      city: { type: "string" },
      guests: { type: "integer", default: 1 },
      name: { type: "string" },
    });
    form.change("name", "Ada");
    form.propose({ city: "Lisbon", guests: 2, name: "Bob" });
    const draftsNow = () => ["city", "guests", "name"].map((name) => stateOf(form.answers(), name).draft);
    expect(draftsNow()).toEqual(["Lisbon", "2", "Ada"]);
    expect(stateOf(form.answers(), "city").proposed).toBe(true);
    expect(onChange).toHaveBeenLastCalledWith({ city: "Lisbon", guests: "2", name: "Ada" });
    // A later sentence replaces the earlier one, and manual corrections stay.
    form.change("city", "Porto");
    form.propose({ city: "Rome", guests: 3 });
    expect(draftsNow()).toEqual(["Porto", "3", "Ada"]);
    expect(stateOf(form.answers(), "city").proposed).toBeUndefined();
  });

  it("fills in a proposal only once: when a card mounts again, cleared fields stay empty", () => {
    const content = { city: "Lisbon", name: "Ada" };
    const properties = { city: { type: "string" }, name: { type: "string" } };
    const { form, onChange } = formOf(properties);
    form.propose(content);
    form.change("city", "");
    const again = formOf(properties, { drafts: onChange.mock.lastCall?.[0], proposed: content }).form;
    again.propose(content);
    expect(stateOf(again.answers(), "city").draft ?? "").toBe("");
    again.propose({ city: "Rome" });
    expect(stateOf(again.answers(), "city").draft).toBe("Rome");
  });

  it("accepts a proposal that arrived while no card was mounted", () => {
    const proposed = { city: "Lisbon" };
    const { form } = formOf({ city: { type: "string" } }, { proposed });
    form.propose(proposed);
    expect(stateOf(form.answers(), "city").draft).toBe("Lisbon");
  });

  it("keeps a text that looks like a placeholder for a missing value", () => {
    const { form } = formOf({ city: { type: "string" } });
    form.change("city", "undefined");
    form.propose({ city: "Lisbon" });
    expect(stateOf(form.answers(), "city").draft).toBe("undefined");
  });

  it("accepts no proposal for a form that asks for secrets", () => {
    const { form } = formOf({ password: { type: "string" } }, { hasSecrets: true });
    form.propose({ password: "hunter2" });
    expect(stateOf(form.answers(), "password").draft).toBeUndefined();
  });

  it("omits fields that were never touched (modelcontextprotocol/inspector#353)", () => {
    const { form } = formOf({ city: { type: "string" }, news: { type: "boolean" } });
    expect(form.submit()).toEqual({ ok: true, content: {} });
  });

  it("keeps text as typed (modelcontextprotocol/inspector#1888)", () => {
    const { form } = formOf({ price: { type: "number" } });
    for (const text of ["1", "1.", "1.5"]) {
      form.change("price", text);
      expect(stateOf(form.answers(), "price").draft).toBe(text);
    }
    expect(form.submit()).toEqual({ ok: true, content: { price: 1.5 } });
  });

  it("shows an error once the user has left a field they changed", () => {
    const { form } = formOf({ email });
    form.blur("email");
    expect(stateOf(form.answers(), "email").error).toBeUndefined();
    form.change("email", "nobody");
    expect(stateOf(form.answers(), "email").error).toBeUndefined();
    form.blur("email");
    expect(stateOf(form.answers(), "email").error).toEqual({ code: "email" });
  });

  it("removes an error as soon as it is corrected", () => {
    const { form } = formOf({ email });
    form.change("email", "nobody");
    form.submit();
    form.change("email", "nobody@example.com");
    expect(stateOf(form.answers(), "email").error).toBeUndefined();
  });

  it("returns the first field to correct, in the order of the form", () => {
    const { form } = formOf({ a: { type: "string" }, b: email, c: { type: "string" } }, { required: ["c"] });
    form.change("b", "nobody");
    expect(form.submit()).toEqual({ ok: false, field: "b" });
    form.blur("c");
    expect(stateOf(form.answers(), "c").error).toEqual({ code: "required" });
  });

  it("shows the server's errors on the same fields until they are changed", () => {
    const { form } = formOf({ a: { type: "string" }, b: { type: "string" } });
    form.change("b", "a name");
    form.submit();
    const error = { code: "taken", message: "This name is taken." };
    expect(form.refuse({ b: error, unknown: error })).toBe("b");
    form.blur("b");
    expect(stateOf(form.answers(), "b").error).toEqual(error);
    form.change("b", "another");
    expect(stateOf(form.answers(), "b").error).toBeUndefined();
  });

  it("requires a confirmation for secrets, and reports when the confirmation is missing", () => {
    const { form } = formOf({ password: { type: "string" } }, { hasSecrets: true });
    expect(form.submit()).toEqual({ ok: false });
    expect(form.answers().secrets).toBe("missing");
    form.confirmSecrets(true);
    expect(form.submit()).toEqual({ ok: true, content: {} });
  });

  it("passes every draft to onChange", () => {
    const { form, onChange } = formOf({ city: { type: "string" }, email });
    form.change("city", "Lis");
    form.change("email", "a");
    form.change("email", undefined);
    expect(onChange.mock.calls).toEqual([
      [{ city: "Lis" }],
      [{ city: "Lis", email: "a" }],
      [{ city: "Lis" }],
    ]);
  });

  it("changes the state of the changed field only", () => {
    const { form } = formOf({ a: { type: "string" }, b: { type: "string", default: "x" } });
    const before = stateOf(form.answers(), "b");
    form.change("a", "y");
    expect(stateOf(form.answers(), "b")).toBe(before);
  });

  it("treats inherited property names as ordinary field names", () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}');
    const { form } = formOf(properties, { required: ["constructor"] });
    expect(stateOf(form.answers(), "constructor").draft).toBeUndefined();
    expect(form.submit()).toEqual({ ok: false, field: "constructor" });
    form.change("__proto__", "a");
    form.change("constructor", "b");
    const result = form.submit();
    expect(result.ok && Object.entries(result.content)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });

  it("ignores names that are not in the form", () => {
    const { form, onChange } = formOf({ a: { type: "string" } });
    form.change("b", "x");
    expect(onChange).not.toHaveBeenCalled();
  });
});
