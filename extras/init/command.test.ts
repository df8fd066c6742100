import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runInit } from "./command.ts";
import { createAppFolder, NEXT } from "./testing/app-folder.ts";

const { app, begin, end, inspect, write } = createAppFolder();
const COMPLETE = { ...NEXT, ai: "7.0.173", zod: "4.6.7", "@ai-sdk/react": "4.0.177", "elicit-kit": "0.1.0" };
let printed = "";
beforeEach(() => {
  begin();
  printed = "";
  app(COMPLETE);
  vi.spyOn(process, "cwd").mockReturnValue(inspect().folder);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => (printed += String(text)) !== "");
});
afterEach(() => {
  vi.restoreAllMocks();
  end();
});

describe("elicit-kit init", () => {
  it("writes nothing through a link that leads out of the app", async () => {
    const outside = mkdtempSync(join(tmpdir(), "elicit-kit-outside-"));
    symlinkSync(outside, join(inspect().folder, "agent"), "dir");
    expect(await runInit(["--mock", "--yes"])).toBe(2);
    expect(printed).toContain("is a link out of this app");
    expect(existsSync(join(outside, "session.js"))).toBe(false);
    rmSync(outside, { recursive: true });
  });

  it("writes the control characters and direction marks of the app's code out", async () => {
    write("app/page.jsx", "const chat = useChat({ onFinish: '\u001B[2J\u202E' });\n");
    await runInit(["--mock", "--dry-run"]);
    expect(printed).toContain("\\u{1b}[2J\\u{202e}");
    // oxlint-disable-next-line no-control-regex
    expect(printed).not.toMatch(/[\u001B\u202E]/);
  });
});
