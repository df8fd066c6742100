/** `node tools/template.ts`: writes the files of templates/next that `elicit-kit init --connect --postgres` generates. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Plan, planInit } from "../extras/init/plan.ts";
import { inspectProject } from "../extras/init/project.ts";

export const template = join(import.meta.dirname, "..", "templates", "next");

/** The template has its own sign-in. */
const OWN = "agent/session.ts";

/** The generated files of the template. `mock`: with a script in place of the model, for tests. */
export function templateFiles({ mock = false } = {}): Plan["write"] {
  // A folder without the files to generate.
  const folder = mkdtempSync(join(tmpdir(), "elicit-kit-template-"));
  try {
    const project = { ...inspectProject(template), folder, chat: undefined };
    const { write } = planInit(project, { mock, connect: true, postgres: true });
    return Object.fromEntries(Object.entries(write).filter(([path]) => path !== OWN));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(templateFiles())) {
    mkdirSync(dirname(join(template, path)), { recursive: true });
    writeFileSync(join(template, path), text);
  }
}
