/** `npm run bench`: installs what is missing and prints the kit's figures. */
import { join } from "node:path";
import { bootstrap, install, main, root } from "./bootstrap.mjs";
import { run } from "./child.mjs";

await main(async () => {
  await bootstrap(import.meta.url);
  await install(join(root, "bench"));
  for (const script of ["bench/run.ts", "bench/ai-sdk.ts", "bench/forms-mount.ts"]) {
    const { code } = await run(process.execPath, [script], { cwd: root });
    if (code !== 0) process.exit(code);
  }
});
