import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecretFields, parseRequestedSchema } from "./index.ts";

function asksForSecret(name: string, property: object = { type: "string" }): boolean {
  const parsed = parseRequestedSchema({ type: "object", properties: { [name]: property } });
  if (!parsed.ok) throw new Error(`cannot be shown: ${JSON.stringify(parsed.reasons)}`);
  return findSecretFields(parsed.fields).length === 1;
}

describe("a field that asks for a secret", () => {
  it.each([
    "password",
    "passwd",
    "Passphrase",
    "pass_code",
    "pwd",
    "clientSecret",
    "apiKey",
    "API_KEY",
    "userAPIKey",
    "openai-api-key-2",
    "access token",
    "githubToken",
    "credentials",
    "PIN",
    "cvv",
    "CVC2",
    "SSN",
    "social security number",
    "otp",
    "2fa code",
    "mfaCode",
    "one-time code",
    "recovery phrase",
    "seedPhrase",
    "mnemonic",
    "creditCard",
    "card number",
    "cardNo",
    "private key",
    "sshKey",
    "contraseña",
    "Passwort",
    "Kennwort",
    "mot de passe",
    "パスワード",
    "新しい暗証番号",
    "كلمة المرور",
    "ｐａｓｓｗｏｒｄ",
  ])("is told by the name %s", (name) => {
    expect(asksForSecret(name)).toBe(true);
  });

  it("is told by its title and its description too", () => {
    expect(asksForSecret("value", { type: "string", title: "Your API key" })).toBe(true);
    expect(asksForSecret("value", { type: "string", description: "The card number on the front" })).toBe(
      true,
    );
  });

  it("is told by the schema itself, without a word", () => {
    expect(asksForSecret("value", { type: "string", format: "password" })).toBe(true);
    expect(asksForSecret("value", { type: "string", writeOnly: true })).toBe(true);
  });

  it("may be a number", () => {
    expect(asksForSecret("pin", { type: "integer" })).toBe(true);
  });
});

describe("a field that does not", () => {
  it.each([
    "city",
    "tokenize",
    "maxTokens",
    "tokenLimit",
    "passwordHint",
    "secret name",
    "keyboard",
    "key",
    "passenger",
    "pinned",
    "postcode",
    "card",
    "access",
    "secretary",
    "mot",
  ])("is let pass by the name %s", (name) => {
    expect(asksForSecret(name)).toBe(false);
  });

  it("is one where nothing can be typed", () => {
    expect(asksForSecret("password", { type: "boolean" })).toBe(false);
    expect(asksForSecret("password", { enum: ["a"] })).toBe(false);
  });

  it("is none of an empty form", () => {
    expect(findSecretFields([])).toEqual([]);
  });
});

describe("what asks for a secret", () => {
  const pieces = fc.constantFrom(
    "api",
    "API",
    "Key",
    "key",
    "pass",
    "Word",
    "PIN",
    "to",
    "id",
    "2",
    "_",
    "-",
    " ",
    ".",
  );
  const text = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 6 })
    .map((all) => all.join(""));
  const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

  it("is found by the same words in plain ASCII and beside a sign that is none", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(asksForSecret(`${name} ×`)).toBe(asksForSecret(name));
      }),
      runs,
    );
  });

  it("is found in a form of several fields as it is in each of them alone", () => {
    const fields = fc.dictionary(
      text,
      fc.record({ type: fc.constant("string"), title: text, description: text }),
    );
    fc.assert(
      fc.property(fields, (properties) => {
        const form = parseRequestedSchema({ type: "object", properties });
        if (!form.ok) throw new Error(`cannot be shown: ${JSON.stringify(form.reasons)}`);
        const alone = Object.keys(properties).filter((name) => asksForSecret(name, properties[name]));
        expect(findSecretFields(form.fields).map(({ name }) => name)).toEqual(alone);
      }),
      runs,
    );
  });
});
