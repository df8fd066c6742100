import { parseArgs } from "node:util";

type Environment = Readonly<Record<string, string | undefined>>;

/** The URL of Ollama, which runs models on the user's own machine. */
const OLLAMA = "http://localhost:11434/v1";

/**
 * Converts the options of `npm start --` to environment variables: `--slack` to `SLACK=1`, `--durable` to `DURABLE=1`,
 * `--metrics` to `METRICS=1`, and `--model <name> --model-url <url>` to `MODEL` and `MODEL_BASE_URL`. A model without a
 * URL runs on Ollama.
 */
export function withOptions(args: readonly string[], given: Environment): Environment {
  const { model, "model-url": url, slack = false, durable = false, metrics = false } = parse(args);
  if (slack && durable) {
    throw new Error("elicit-kit: the demo's Slack runs in one process. Use --slack or --durable, not both.");
  }
  const chosen = {
    ...(slack && { SLACK: "1" }),
    ...(durable && { DURABLE: "1" }),
    ...(metrics && { METRICS: "1" }),
  };
  const env = Object.keys(chosen).length === 0 ? given : { ...given, ...chosen };
  if (model === undefined && url === undefined) return env;
  const named = model ?? env["MODEL"];
  return {
    ...env,
    ...(named !== undefined && { MODEL: named }),
    MODEL_BASE_URL: url ?? (env["MODEL_BASE_URL"] || OLLAMA),
  };
}

function parse(args: readonly string[]): {
  model?: string | undefined;
  "model-url"?: string | undefined;
  slack?: boolean | undefined;
  durable?: boolean | undefined;
  metrics?: boolean | undefined;
} {
  try {
    return parseArgs({
      args: [...args],
      options: {
        model: { type: "string" },
        "model-url": { type: "string" },
        slack: { type: "boolean" },
        durable: { type: "boolean" },
        metrics: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `elicit-kit: ${reason}\nThe options are --model <name>, --model-url <url of an OpenAI-compatible server>, --slack, --durable and --metrics.`,
      { cause: error },
    );
  }
}

/** The name of the language model, or `undefined` for the script. */
export function modelName(env: Environment): string | undefined {
  return env["MODEL_BASE_URL"] ? env["MODEL"] : undefined;
}
