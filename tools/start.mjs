/** `npm start`: installs missing packages, builds the kit and the demo's page, and runs the demo until Ctrl-C. */
import { bootstrap, main, root } from "./bootstrap.mjs";
import { buildDemoPage, buildHostPage, buildKit, buildSlackPage } from "./build.mjs";
import { run } from "./child.mjs";

await main(async () => {
  await bootstrap(import.meta.url);
  console.log("Building the demo …");
  await buildKit();
  await buildDemoPage();
  await buildHostPage();
  if (process.argv.includes("--slack")) await buildSlackPage();
  const { code } = await run(process.execPath, ["demo/server/main.ts", ...process.argv.slice(2)], {
    cwd: root,
  });
  process.exit(code);
});
