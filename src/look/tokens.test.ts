import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TOKENS_CSS } from "./tokens.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const flat = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");

/** Each `--elicit-…` with its value. */
const tokens = new Map(
  [...TOKENS_CSS.matchAll(/(--elicit-[\w-]+):([^;]+);/g)].map(([, name = "", value = ""]) => [
    name,
    flat(value).trim(),
  ]),
);

describe("the design tokens", () => {
  it("are the same in the CSS file and in the text for servers", () => {
    expect(tokens.size).toBe(38);
    expect(TOKENS_CSS).toBe(read("tokens.css"));
  });

  it("are the defaults of the card styles, each as a separate variable", () => {
    const twins = new Map(
      [
        ...flat(read("../react/styles/tokens.css")).matchAll(/--_([\w-]+): var\((--elicit-\1), ?([^;]+)\);/g),
      ].map(([, , name = "", value = ""]) => [name, value.replaceAll("--_", "--elicit-")]),
    );
    expect(Object.fromEntries(twins)).toEqual(Object.fromEntries(tokens));
  });
});
