import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TOKENS_CSS } from "./tokens.ts";

const flat = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");
const CARD_TOKENS = readFileSync(new URL("../react/styles/tokens.css", import.meta.url), "utf8");

/** Each `--elicit-…` with its value. */
const tokens = new Map(
  [...TOKENS_CSS.matchAll(/(--elicit-[\w-]+):([^;]+);/g)].map(([, name = "", value = ""]) => [
    name,
    flat(value).trim(),
  ]),
);

describe("the design tokens", () => {
  it("are the defaults of the card styles, each as a separate variable", () => {
    const twins = new Map(
      [...flat(CARD_TOKENS).matchAll(/--_([\w-]+): var\((--elicit-\1), ?([^;]+)\);/g)].map(
        ([, , name = "", value = ""]) => [name, value.replaceAll("--_", "--elicit-")],
      ),
    );
    expect(twins.size).toBe(38);
    expect(Object.fromEntries(twins)).toEqual(Object.fromEntries(tokens));
  });
});
