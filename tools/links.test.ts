import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
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

/** The anchors that GitHub generates. */
function anchors(page: string): string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it.each(pages)("%s links only to files and headings that exist", (page) => {
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

it("every page of docs has a page in Storybook, in the same folder and with the name of its file in the URL", () => {
  const guides: string[] = pages
    // The index is for GitHub and npm, and Storybook has its own list of pages. The API reference is for editors, and the evidence for us.
    .filter((page) => /^docs\/(?!README|api\/|evidence\/|examples\/)/.test(page))
    .map((page) => page.slice("docs/".length, -".md".length));
  const folder = join(root, "stories", "guides");
  const inBook = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mdx"))
    .map((name) => {
      const mdx = readFileSync(join(folder, name), "utf8");
      const title = /<Meta title="Guides\/([^"]+)"/.exec(mdx)?.[1] ?? "";
      const shows = /docs\/([\w/-]+)\.md\?raw/.exec(mdx)?.[1];
      return { file: name.slice(0, -".mdx".length), title: title.toLowerCase().replaceAll(" ", "-"), shows };
    });
  expect(new Set(inBook.map(({ shows }) => shows))).toEqual(new Set(guides));
  expect(inBook).toHaveLength(guides.length);
  expect(inBook.filter(({ file, title, shows }) => title !== shows || file !== shows)).toEqual([]);
});

it("the folders of docs have the same order in Storybook as in the index", () => {
  const asPath = (title: string) => title.toLowerCase().replaceAll(" ", "-");
  const preview = readFileSync(join(root, ".storybook", "preview.tsx"), "utf8");
  const [, order = ""] = /"Guides",\s*(\[[^]*?\]),\s*\],\s*\},/.exec(preview) ?? [];
  const names: readonly (string | readonly string[])[] = JSON.parse(order.replaceAll(/,(?=\s*\])/g, ""));
  const inBook = names.flatMap((entry, at) => {
    const folder = names[at - 1];
    return typeof entry === "string" || typeof folder !== "string"
      ? []
      : [{ folder: asPath(folder), pages: entry.map(asPath) }];
  });
  const index = readFileSync(join(root, "docs", "README.md"), "utf8");
  const inIndex = inBook.map(({ folder }) => {
    const links = index.matchAll(new RegExp(`\\(${folder}/([\\w-]+)\\.md`, "g"));
    return { folder, pages: [...new Set([...links].map(([, page = ""]) => page))] };
  });
  expect(inBook).toEqual(inIndex);
  expect(inBook.map(({ folder }) => folder).toSorted()).toEqual([
    "accounts",
    "ask",
    "help",
    "protocols",
    "reference",
    "run",
    "show",
    "start",
    "testing",
    "trust",
  ]);
});

it("ARCHITECTURE.md names only files that exist", () => {
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

it("the README has at most 700 words, including tables and code", () => {
  const words = readFileSync(join(root, "README.md"), "utf8").match(/\S+/g) ?? [];
  expect(words.length).toBeLessThanOrEqual(700);
});

it("a page that the package contains links to the evidence in the index and in Security only, because the package does not contain that", () => {
  const shipped = pages.filter((page) => /^docs\/(?!evidence\/)/.test(page));
  const linking = shipped.filter((page) => /\]\((?:\.\.\/)*evidence\//.test(withoutCode(page)));
  expect(linking).toEqual(["docs/README.md", "docs/trust/security.md"]);
});
