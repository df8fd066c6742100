import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Plan, planInit } from "../plan.ts";
import { inspectProject, type Wanted } from "../project.ts";

export const NEXT = { next: "16.4.3", react: "19.3.0" };
export const VITE = { vite: "^8.3.4", react: "^19.3.1" };

/** An app on disk. Call `begin` before and `end` after each test. */
export function createAppFolder() {
  let folder = "";

  function write(path: string, text = ""): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return {
    begin(): void {
      folder = mkdtempSync(join(tmpdir(), "elicit-kit-init-"));
    },
    end: () => rmSync(folder, { recursive: true }),
    write,
    /** Creates an app with these packages and files. */
    app(dependencies: Readonly<Record<string, string>>, ...files: readonly string[]): void {
      write("package.json", JSON.stringify({ name: "app", dependencies }));
      for (const file of files) write(file);
    },
    inspect: () => inspectProject(folder),
    plan: (wanted: Partial<Wanted> = {}): Plan =>
      planInit(inspectProject(folder), { mock: true, connect: false, postgres: false, ...wanted }),
  };
}
