import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile, copyUses, RESOLUTIONS } from "./compile.ts";
import { writeExamples } from "./examples.ts";
import { programOf } from "../../tools/program.mjs";
import { checkout, type Installed, installPacked } from "./installed.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
  await copyUses(installed.project);
});
afterAll(() => installed.remove());

const tsc = programOf(checkout, "tsc");

describe("the packed types", () => {
  it.each(Object.entries(RESOLUTIONS))(
    "accept correct uses and refuse wrong ones (module resolution %s)",
    async (_, options) => {
      expect(await compile(installed.project, tsc, { ...options, skipLibCheck: true })).toEqual([]);
    },
    120_000,
  );

  it("fit the examples in the API reference", async () => {
    const folder = join(installed.project, "examples");
    const names = await writeExamples(folder);
    expect(names).toEqual(
      expect.arrayContaining([
        "createRuntime",
        "createAgentTurn",
        "createHostedPage",
        "createMcpSurface",
        "createSlackSurface",
        "createPostgresPorts",
        "createDbosRunner",
        "serve",
      ]),
    );
    expect(await compile(folder, tsc, { ...RESOLUTIONS.bundler, skipLibCheck: true })).toEqual([]);
  }, 120_000);

  it("cause no errors in projects without skipLibCheck", async () => {
    const complaints = await compile(installed.project, tsc, {
      ...RESOLUTIONS.nodenext,
      skipLibCheck: false,
    });
    expect(complaints.filter((line) => line.startsWith("node_modules/elicit-kit/"))).toEqual([]);
  }, 120_000);

  it("of an agent need no MCP and no A2A in a project without skipLibCheck", async () => {
    const bare = await installPacked(["ai", "zod"]);
    try {
      const use = 'export { createAgentTurn } from "elicit-kit/agent";\n';
      await writeFile(join(bare.project, "agent.tsx"), use);
      const complaints = await compile(bare.project, tsc, {
        ...RESOLUTIONS.nodenext,
        skipLibCheck: false,
        typeRoots: [join(checkout, "node_modules", "@types")],
      });
      expect(complaints.filter((line) => line.startsWith("node_modules/elicit-kit/"))).toEqual([]);
    } finally {
      await bare.remove();
    }
  }, 120_000);
});
