import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apiReference } from "../../tools/api-reference.ts";
import { checkout } from "./installed.ts";

const folder = join(checkout, "docs", "api");
const { pages, undocumented } = apiReference();

describe("the API reference", () => {
  it("finds a docstring for every name that the package exports", () => {
    expect(undocumented).toEqual([]);
  });

  it("is the one in docs/api; `npm run api` writes it anew", () => {
    expect(readdirSync(folder).toSorted()).toEqual([...pages.keys()].toSorted());
    const outdated = [...pages].filter(([name, text]) => readFileSync(join(folder, name), "utf8") !== text);
    expect(outdated.map(([name]) => name)).toEqual([]);
  });

  it("leads every link to a heading that is there", () => {
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
