import ai from "ai/package.json" with { type: "json" };
import type { AiSdkVersion } from "../../src/ai-sdk/chunk-shapes.ts";

const VERSIONS: readonly AiSdkVersion[] = [5, 6, 7];

/** The major version of the AI SDK in the tests: the kit's own, or that of a project in test/fixtures. */
export const aiSdk: AiSdkVersion =
  VERSIONS.find((version) => ai.version.startsWith(`${version}.`)) ?? unknownVersion();

function unknownVersion(): never {
  throw new Error(`the kit says nothing of AI SDK ${ai.version}`);
}
