import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiReference } from "../../tools/api-reference.ts";
import { checkout } from "./installed.ts";

const folder = join(checkout, "docs", "api");
const { pages, names, undocumented } = apiReference();

/** The text of every guide and every example in it, without the reference itself. */
const guides = [
  readFileSync(join(checkout, "README.md"), "utf8"),
  ...readdirSync(join(checkout, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:md|tsx?|mjs)$/.test(name) && !/^api\b/.test(name))
    .map((name) => readFileSync(join(checkout, "docs", name), "utf8")),
].join("\n");

describe("the names that the package exports", () => {
  it("are fewer than 300", () => {
    expect([...names.values()].flat().length).toBeLessThan(300);
  });

  it("are each in a guide, or are all for authors of stores", () => {
    const unread = [...names]
      .filter(([entry]) => entry !== "elicit-kit/runtime/ports")
      .flatMap(([entry, exported]) =>
        exported
          .filter((name) => !new RegExp(`\\b${name}\\b`).test(guides))
          .map((name) => `${entry}: ${name}`),
      );
    expect(unread).toEqual([]);
  });
});

describe("the API reference", () => {
  it("has a docstring for every name that the package exports", () => {
    expect(undocumented).toEqual([]);
  });

  it("is the same as in docs/api (to update it: `npm run api`)", () => {
    expect(readdirSync(folder).toSorted()).toEqual([...pages.keys()].toSorted());
    const outdated = [...pages].filter(([name, text]) => readFileSync(join(folder, name), "utf8") !== text);
    expect(outdated.map(([name]) => name)).toEqual([]);
  });

  it("links only to existing headings", () => {
    const headings = new Map(
      [...pages].map(([page, text]) => [
        page,
        [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
          heading.toLowerCase().replaceAll(/[^\w -]/g, ""),
        ),
      ]),
    );
    const broken = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([\w-]+\.md)?(?:#([^)]*))?\)/g)]
        .filter(([, to = page, anchor]) => {
          const there = headings.get(to);
          return there === undefined || (anchor !== undefined && !there.includes(anchor));
        })
        .map(([link]) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});
