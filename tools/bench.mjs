/**
 * `npm run bench`: installs what is missing, prints the kit's figures beside those of its peers, and writes them to
 * bench/RESULTS.md with the machine and the date. Peers are measured in the same run; only ratios travel to other machines.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { bootstrap, install, main, root } from "./bootstrap.mjs";
import { run } from "./child.mjs";

const SCRIPTS = {
  "Sizes, forms and events": "bench/run.ts",
  "The AI SDK's stream": "bench/ai-sdk.ts",
  "Mount of forms": "bench/forms-mount.ts",
};

await main(async () => {
  await bootstrap(import.meta.url);
  await install(join(root, "bench"));
  const load = loadavg()[0] ?? 0;
  const parts = [];
  for (const [title, script] of Object.entries(SCRIPTS)) {
    const { code, output, interrupted } = await run(process.execPath, [script], { cwd: root, quiet: true });
    process.stdout.write(output);
    // Half a table would be taken for the whole: the file stays as it was.
    if (code !== 0 || interrupted) process.exit(code === 0 ? 1 : code);
    parts.push(`## ${title}\n\n\`node ${script}\`\n\n\`\`\`text\n${output.trimEnd()}\n\`\`\`\n`);
  }
  writeFileSync(join(root, "bench", "RESULTS.md"), `${heading(load)}\n${parts.join("\n")}`);
});

/** @param {number} load processes that wanted a core before the run began */
function heading(load) {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `# Figures

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cores.length} × ${cores[0]?.model.trim() ?? "unknown core"}, ${memory} GiB, Node.js ${process.versions.node}, ${process.platform} ${process.arch}. Load before the run: ${load.toFixed(1)}. Ratios within a run hold elsewhere; times do not.
`;
}
