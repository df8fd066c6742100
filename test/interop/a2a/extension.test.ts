import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  ELICITATION_EXTENSION,
  readAnswers,
  readModes,
  readQuestions,
  readWithdrawn,
  writeAnswers,
  writeModes,
  writeQuestions,
  writeWithdrawn,
} from "../../../src/a2a/wire/translate.ts";
import { CONTENT, FORM, PAGE } from "../recorded/questions.ts";

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
const page = read("reference/a2a-extension.md");
const isValid = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(read("reference/a2a-extension.schema.json")),
);
const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => JSON.parse(json));
const payloads = blocks.flatMap((block) => {
  if ("uri" in block) return [];
  return "state" in block ? [block.message.metadata[ELICITATION_EXTENSION]] : [block];
});
const carrying = (payload: unknown) => ({
  extensions: [ELICITATION_EXTENSION],
  metadata: { [ELICITATION_EXTENSION]: payload },
});
const payloadOf = ({ metadata }: { metadata: Record<string, unknown> }) => metadata[ELICITATION_EXTENSION];

describe("docs/reference/a2a-extension.md", () => {
  test("names the same URI as the code", () => {
    expect(page).toContain(`| URI | \`${ELICITATION_EXTENSION}\` |`);
  });

  test("has example payloads that match its schema", () => {
    expect(payloads).toHaveLength(5);
    for (const payload of payloads) expect([payload, isValid(payload)]).toEqual([payload, true]);
  });

  test("has example payloads that the code can read", () => {
    const [modes, form, url, answers, withdrawn] = payloads.map(carrying);
    expect(readModes(modes ?? {})).toEqual({ form: true, url: false });
    expect(readQuestions("input-required", form)).toMatchObject({ ok: true });
    expect(readQuestions("auth-required", url)).toMatchObject({ ok: true });
    expect(readAnswers(answers ?? {})).toMatchObject({ ok: true });
    expect(readWithdrawn(withdrawn)).toEqual(["deposit-1"]);
  });
});

describe("docs/reference/a2a-extension.schema.json", () => {
  const form = { elicitationId: "f1", mode: "form" as const, ...FORM };
  const url = { elicitationId: "p1", mode: "url" as const, ...PAGE };
  const written = [writeQuestions([form]), writeQuestions([url]), writeQuestions([url], ["p0"])].flatMap(
    (each) => (each.ok ? [each.value] : []),
  );

  test.each([
    ...written,
    writeAnswers([{ elicitationId: "f1", action: "accept", content: CONTENT }]),
    writeAnswers([{ elicitationId: "f1", action: "decline" }]),
    writeWithdrawn(["f1"]),
    writeModes({ form: true, url: true }),
  ])("allows what the code writes (%#)", (message) => {
    expect(isValid(payloadOf(message))).toBe(true);
  });

  test.each([
    [{ requests: [] }],
    [{ requests: [{ ...form, mode: "page" }] }],
    [{ requests: [{ ...url, url: undefined }] }],
    [{ requests: [{ ...form, elicitationId: ".." }] }],
    [{ responses: [{ elicitationId: "f1", action: "decline", content: {} }] }],
  ])("refuses what the code does not read (%#)", (payload) => {
    const json = JSON.parse(JSON.stringify(payload));
    expect(isValid(json)).toBe(false);
    const isRead = [
      readQuestions("input-required", carrying(json)),
      readQuestions("auth-required", carrying(json)),
      readAnswers(carrying(json)),
    ].some((result) => result?.ok === true);
    expect(isRead).toBe(false);
  });
});
