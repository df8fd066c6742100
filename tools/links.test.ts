import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { root } from "./bootstrap.mjs";

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

const withoutCode = (page: string) =>
  readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "");

/** As GitHub names them. */
function anchors(page: string): string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it.each(pages)("%s leads nobody to a file or heading that is not there", (page) => {
  const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? join(root, page) : join(root, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !anchors(relative(root, file)).includes(anchor);
    });
  expect(broken).toEqual([]);
});

it.each([
  { folder: "", group: "Documentation" },
  { folder: "protocols/", group: "Protocols" },
])(
  "every guide in docs/$folder is a page of the book, with its file's name in the address",
  ({ folder, group }) => {
    const isGuide = new RegExp(`^docs/${folder}[^/]+\\.md$`);
    // The index is for GitHub and npm; the book has its own list of pages.
    const guides = pages
      .filter((page) => isGuide.test(page) && page !== "docs/README.md")
      .map((page) => basename(page, ".md"));
    const addresses = readdirSync(join(root, "stories", "guides", folder))
      .filter((name) => name.endsWith(".mdx"))
      .map((name) => {
        const mdx = readFileSync(join(root, "stories", "guides", folder, name), "utf8");
        const title = new RegExp(`<Meta title="${group}/([^"]+)"`).exec(mdx)?.[1] ?? "";
        const shows = new RegExp(`docs/${folder}([^/]+)\\.md\\?raw`).exec(mdx)?.[1];
        return { title: title.toLowerCase().replaceAll(" ", "-"), shows };
      });
    expect(new Set(addresses.map(({ shows }) => shows))).toEqual(new Set(guides));
    expect(addresses.filter(({ title, shows }) => title !== shows)).toEqual([]);
  },
);

it("ARCHITECTURE.md names files that are there", () => {
  const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n");
  const missing = rows.flatMap((row) => {
    const paths = [...row.matchAll(/`((?:src|tools)\/[\w./-]*)`((?:,?(?: with)? `[\w-]+\.ts`)*)/g)];
    return paths.flatMap(([, path = "", besides = ""]) => {
      const siblings = [...besides.matchAll(/`([\w-]+\.ts)`/g)].map(([, name = ""]) =>
        join(dirname(path), name),
      );
      return [path, ...siblings].filter((each) => !existsSync(join(root, each)));
    });
  });
  expect(missing).toEqual([]);
});

it("the README has at most 700 words, with its tables and its code", () => {
  const words = readFileSync(join(root, "README.md"), "utf8").match(/\S+/g) ?? [];
  expect(words.length).toBeLessThanOrEqual(700);
});
