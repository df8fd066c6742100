import { startDurable } from "../durable/start.ts";
import { startAlone } from "./alone.ts";
import { withOptions } from "./options.ts";

const env = withOptions(process.argv.slice(2), process.env);
const stop = await (env["DURABLE"] === undefined ? startAlone(env) : startDurable(env));

async function stopAndExit(): Promise<void> {
  await stop();
  process.exit(0);
}
process.once("SIGINT", () => void stopAndExit());
process.once("SIGTERM", () => void stopAndExit());
