/**
 * `npm run protocols`: records the messages of other protocols, with other companies' servers and clients, into
 * docs/evidence/recorded. Then writes docs/evidence/recorded.md.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRecordings, recordedPage } from "../test/interop/recorded/page.ts";
import { bootstrap, main, root, SetupError } from "./bootstrap.mjs";
import { run } from "./child.mjs";
import { programOf } from "./program.mjs";

await main(async () => {
  await bootstrap(import.meta.url);
  await tool("vitest", ["run", "--project", "interop", "recordings"], { RECORD: "1" });
  const recordings = readRecordings();
  await tool(
    "oxfmt",
    [...recordings.keys()].map((name) => join("docs", "evidence", "recorded", `${name}.json`)),
  );
  writeFileSync(join(root, "docs", "evidence", "recorded.md"), recordedPage(recordings));
});

async function tool(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { code } = await run(process.execPath, [programOf(root, name), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  if (code !== 0) throw new SetupError(`${name} failed: see its output above.`);
}
