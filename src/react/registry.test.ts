import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConnectPromptParts, FormElicitationParts } from "./parts.ts";

it.each([
  ["connect-card.tsx", "Connect", Object.keys(ConnectPromptParts)],
  ["form-card.tsx", "Form", Object.keys(FormElicitationParts)],
])("%s of the registry has every part", (file, prefix, parts) => {
  const card = readFileSync(join(import.meta.dirname, "../../registry/elicitation", file), "utf8");
  expect(parts.filter((part) => !new RegExp(`<${prefix}\\.${part}\\b`).test(card))).toEqual([]);
});
