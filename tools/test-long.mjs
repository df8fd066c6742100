/** `npm run test:long`: installs what is missing and runs the loads that take minutes. Fails when one is over its limit. */
import { bootstrap, main, root } from "./bootstrap.mjs";
import { run } from "./child.mjs";

await main(async () => {
  await bootstrap(import.meta.url);
  for (const script of ["bench/load.ts", "bench/sequential.ts"]) {
    console.log(`\n── ${script}`);
    const { code, interrupted } = await run(process.execPath, ["--expose-gc", script], { cwd: root });
    if (interrupted) process.exit(code);
    if (code !== 0) process.exitCode = 1;
  }
});
