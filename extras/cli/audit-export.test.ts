import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryDecisionLog, verifyDecisions } from "../audit/index.ts";
import { createMemoryRecords } from "../../src/runtime/index.ts";
import { testRecord } from "../../test/stages/test-ports.ts";
import { lineOf, readExport } from "./audit-export.ts";

test("an export writes out what a terminal would obey or hide, and can still be verified", async () => {
  const log = createMemoryDecisionLog();
  const records = log.watch(createMemoryRecords());
  const tool = { id: "t", name: "\u001B[2J\u009B\u007F\u202Etool\u2066\u200B\u2028\u{E0041}\u3164" };
  await records.create(testRecord({ id: "e1", tool }));
  const lines = (await log.read({ limit: 10 })).map(lineOf).join("");
  expect(lines).toContain(String.raw`"\u001b[2J\u009b\u007f\u202etool\u2066\u200b\u2028\udb40\udc41\u3164"`);
  const folder = await mkdtemp(join(tmpdir(), "elicit-kit-export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "log.jsonl"), lines);
  expect(await verifyDecisions(await readExport(join(folder, "log.jsonl")))).toMatchObject({
    ok: true,
    rows: 1,
  });
});
