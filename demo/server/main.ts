import { startDurable } from "../durable/start.ts";
import { startAlone } from "./alone.ts";
import { withOptions } from "./options.ts";

/** Ends at once while the demo is still starting. */
let stop = (): Promise<void> => Promise.resolve();
let isStopping = false;

async function stopAndExit(): Promise<void> {
  // Ctrl-C may arrive several times: from the terminal, and from each parent process.
  if (isStopping) return;
  isStopping = true;
  await stop();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stopAndExit());

try {
  const env = withOptions(process.argv.slice(2), process.env);
  stop = await (env["DURABLE"] === undefined ? startAlone(env) : startDurable(env));
} catch (error) {
  const isExplained = error instanceof Error && error.message.startsWith("elicit-kit:");
  console.error(isExplained ? error.message : error);
  process.exit(1);
}
