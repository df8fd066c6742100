/**
 * `npm run storybook`: installs missing packages and serves the stories. Arguments go to Storybook; `build` builds them.
 */
import { bootstrap, main, root } from "./bootstrap.mjs";
import { run } from "./child.mjs";

await main(async () => {
  await bootstrap(import.meta.url);
  const given = process.argv.slice(2);
  const args = given[0] === "build" ? given : ["dev", "--port", "6006", "--no-open", ...given];
  const { code } = await run(process.execPath, ["node_modules/storybook/dist/bin/dispatcher.js", ...args], {
    cwd: root,
  });
  process.exit(code);
});
