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

/** The links of a page, except those to other sites, that lead to no file or to no heading. */
function brokenLinks(page: string): string[] {
  const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(file)) return true;
    return anchor !== undefined && !anchors(relative(root, file)).includes(anchor);
  });
}

it("every page links only to files and headings that exist", () => {
  expect(pages.length).toBeGreaterThan(100);
  expect(pages.flatMap((page) => brokenLinks(page).map((link) => `${page}: ${link}`))).toEqual([]);
});

/** The guides, by their paths from docs, with the heading of each. The index, the API and the evidence are not guides. */
const headings = new Map(
  pages
    .filter((page) => /^docs\/(?!README|api\/|evidence\/|examples\/)/.test(page))
    .map((page) => {
      const [, heading = ""] = /^# (.+)$/m.exec(readFileSync(join(root, page), "utf8")) ?? [];
      return [page.slice("docs/".length), heading];
    }),
);

/** The links of the index to guides, in order. */
const inIndex = [
  ...readFileSync(join(root, "docs", "README.md"), "utf8").matchAll(
    /\[([^\]]+)\]\((?!api\/|evidence\/)([\w/-]+\.md)\)/g,
  ),
].map(([, label = "", path = ""]) => ({ label, path }));

it("each guide has one name: its heading, the label in the index, and the title in Storybook", () => {
  expect(new Set(headings.values()).size).toBe(headings.size);
  expect(inIndex).toEqual(inIndex.map(({ path }) => ({ label: headings.get(path), path })));
  expect(inIndex.map(({ path }) => path).toSorted()).toEqual([...headings.keys()].toSorted());

  const folder = join(root, "stories", "guides");
  const inBook = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mdx"))
    .map((name) => {
      const mdx = readFileSync(join(folder, name), "utf8");
      const [, shown = ""] = /docs\/([\w/-]+\.md)\?raw/.exec(mdx) ?? [];
      const [, title = ""] = /<Meta title="Guides\/([^"]+)"/.exec(mdx) ?? [];
      return { file: name.replace(/x$/, ""), shown, title };
    });
  const expected = [...headings].map(([path, heading]) => {
    const [part = "", ...rest] = path.split("/");
    const title = rest.length === 0 ? heading : `${part.charAt(0).toUpperCase()}${part.slice(1)}/${heading}`;
    return { file: path, shown: path, title };
  });
  const byFile = (a: { file: string }, b: { file: string }) => a.file.localeCompare(b.file);
  expect(inBook.toSorted(byFile)).toEqual(expected.toSorted(byFile));
});

it("the guides have the same order in Storybook as in the index", () => {
  const preview = readFileSync(join(root, ".storybook", "preview.tsx"), "utf8");
  const [, order = ""] = /"Guides",\s*(\[[^]*?\]),\s*\],\s*\},/.exec(preview) ?? [];
  const names: readonly (string | readonly string[])[] = JSON.parse(order.replaceAll(/,(?=\s*\])/g, ""));
  const inBook = names.flatMap((entry, at) => {
    const folder = names[at - 1];
    return typeof entry === "string" || typeof folder !== "string"
      ? []
      : [[folder.toLowerCase(), entry] as const];
  });
  const folders = [...new Set([...headings.keys()].filter((path) => path.includes("/")).map(dirname))];
  const labelsOf = (folder: string) =>
    inIndex.filter(({ path }) => dirname(path) === folder).map(({ label }) => label);
  const expected = folders.map((folder) => [folder, labelsOf(folder)] as const);
  expect(Object.fromEntries(inBook)).toEqual(Object.fromEntries(expected));
});

it("the pages of Storybook link to guides that exist", () => {
  const ids = new Set(
    [...headings].map(([path, heading]) => {
      const words = ["guides", ...path.split("/").slice(0, -1), heading].join("-");
      return `${words.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}--docs`;
    }),
  );
  const stories = readdirSync(join(root, "stories")).filter((name) => name.endsWith(".mdx"));
  const links = stories.flatMap((name) => [
    ...readFileSync(join(root, "stories", name), "utf8").matchAll(/\?path=\/docs\/(guides-[\w-]+)/g),
  ]);
  expect(links.length).toBeGreaterThan(10);
  expect(links.map(([, id = ""]) => id).filter((id) => !ids.has(id))).toEqual([]);
});

/** The reference is looked up, not read: the contract, the extension of A2A and a server of the contract. */
const isReference = (path: string) => path === "contract.md" || path.startsWith("reference/");

/** Eight minutes, at 250 words a minute. */
const MOST_WORDS = 2_000;

it("a guide takes at most eight minutes to read, and all of them have at most 50,000 words, or 67,000 with their code", () => {
  const guides = [...headings.keys()].filter((path) => !isReference(path)).map((path) => `docs/${path}`);
  const wordsOf = (texts: readonly string[]) => texts.join("\n").match(/\S+/g)?.length ?? 0;
  expect(guides.filter((page) => wordsOf([withoutCode(page)]) > MOST_WORDS)).toEqual([]);
  expect(wordsOf(guides.map(withoutCode))).toBeLessThanOrEqual(50_000);
  expect(wordsOf(guides.map((page) => readFileSync(join(root, page), "utf8")))).toBeLessThanOrEqual(67_000);
});

it("ARCHITECTURE.md names only files that exist", () => {
  const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n");
  const missing = rows.flatMap((row) => {
    const paths = [...row.matchAll(/`((?:src|extras|tools)\/[\w./-]*)`((?:,?(?: with)? `[\w-]+\.ts`)*)/g)];
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
