import { readdirSync, readFileSync } from "node:fs";
import {
  type ElicitationResult,
  informationRefusedText,
  pageRefusedText,
} from "../../src/runtime/internal.ts";
import { describe, expect, it } from "vitest";
import { faultOf } from "./cited-tests.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const guides = [
  "docs/ask/somebody-else.md",
  "docs/show/own-cards.md",
  "docs/show/hook.md",
  "docs/show/inbox.md",
  "docs/show/side-panel.md",
  "docs/show/without-ai-sdk.md",
  "docs/show/theming.md",
  "docs/show/without-react.md",
];

/** Code blocks whose opening line names a file of the checkout: "```tsx stories/examples/headless.tsx". */
function namedBlocks(text: string): { path: string; code: string }[] {
  return [...text.matchAll(/^```(?:tsx|css) (\S+)\n([\s\S]*?)^```$/gm)].map(([, path = "", code = ""]) => ({
    path,
    code,
  }));
}

describe("a guide page", () => {
  it.each(guides)("%s shows only code that is compiled and runs in Storybook", (guide) => {
    const text = read(guide);
    const blocks = namedBlocks(text);
    expect(blocks.length).toBeGreaterThan(0);
    expect(text.match(/^```(?:tsx|css)/gm)).toHaveLength(blocks.length);
    for (const block of blocks) expect(block).toEqual({ path: block.path, code: read(block.path) });
  });

  it("is there for every example of Storybook", () => {
    const shown = guides.flatMap((guide) => namedBlocks(read(guide)).map(({ path }) => path));
    const examples = readdirSync(new URL("stories/examples", root)).map((name) => `stories/examples/${name}`);
    expect(shown.toSorted()).toEqual(examples.toSorted());
  });
});

describe("docs/show/theming.md and classes.md", () => {
  const styles = readdirSync(new URL("src/react/styles", root)).map((name) =>
    read(`src/react/styles/${name}`),
  );
  const stylesheet = styles.join("\n");

  it("list exactly the variables of the stylesheet", () => {
    const names = (text: string) => [...new Set(text.match(/--elicit-[a-z-]+\d?/g))].toSorted();
    expect(names(read("docs/show/theming.md"))).toEqual(names(stylesheet));
  });

  it("list every class of the stylesheet", () => {
    const text = read("docs/show/classes.md");
    const classes = new Set(stylesheet.match(/\.elicit-[a-z-]+/g));
    expect([...classes].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("docs/contract.md", () => {
  it("lists exactly the codes of invalid values", () => {
    const [, union = ""] = /interface FieldError \{\s*code:([^;]+);/.exec(read("src/form/field.ts")) ?? [];
    const codes = [...union.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(10);
    const [, line = ""] = /^\*\*Codes of `errors\[\]`:\*\*([^.]+)\./m.exec(read("docs/contract.md")) ?? [];
    const listed = [...line.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code);
    expect(new Set(listed)).toEqual(new Set(codes));
  });

  it("contains the texts for models exactly as the runtime writes them", () => {
    type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;
    const textsOf = (refusal: Refusal) => {
      const requestedSchema = { type: "object", properties: { FIELDS: { type: "string" } } } as const;
      return [
        pageRefusedText(refusal, { tool: "NAME", service: "SERVICE", purpose: "connect" }),
        informationRefusedText(refusal, { tool: "NAME", requestedSchema }),
      ];
    };
    const refusals: readonly Refusal[] = [
      { outcome: "declined" },
      { outcome: "cancelled" },
      { outcome: "expired", afterMs: 600_000 },
      { outcome: "withdrawn" },
      { outcome: "failed", reason: "REASON" },
    ];
    const contract = read("docs/contract.md");
    for (const text of textsOf({ outcome: "unsupported" })) expect(contract).toContain(`\`${text}\``);
    const prefixes = ["Authentication required but not provided: ", "The information was not provided: "];
    for (const refusal of refusals) {
      const row = contract.split("\n").find((line) => line.startsWith(`| ${refusal.outcome} |`)) ?? "";
      const told = row
        .split(" | ")
        .slice(1)
        .map((cell) => /`([^`]+)`/.exec(cell)?.[1]);
      const [url, form = url] = told;
      expect(textsOf(refusal)).toEqual([`${prefixes[0]}${url}`, `${prefixes[1]}${form}`]);
    }
    const open = { tool: "NAME", service: "SERVICE", purpose: "open" } as const;
    expect(contract).toContain(`\`${pageRefusedText({ outcome: "unsupported" }, open)}\``);
    for (const purpose of ["open", "pay", "sign"] as const) {
      const text = pageRefusedText({ outcome: "declined" }, { ...open, purpose });
      expect(contract).toContain(`\`${text.slice(0, text.indexOf(":"))}: …\``);
    }
    const declined = pageRefusedText({ outcome: "declined" }, { ...open, purpose: "pay" });
    expect(contract).toContain(`\`${declined.slice(declined.indexOf(":") + 2)}\``);
  });
});

describe("docs/evidence/pains.md", () => {
  const rows = read("docs/evidence/pains.md")
    .split("\n")
    .filter((line) => /^\| \d+ /.test(line));

  it("has an answer to each of the 39 problems", () => {
    expect(rows.map((row) => Number(row.split("|")[1]))).toEqual(Array.from({ length: 39 }, (_, n) => n + 1));
  });

  it("names existing tests, or says why a problem does not apply", () => {
    const unproved = rows.filter((row) => {
      const tests = [...row.matchAll(/`([\w./-]+\.(?:test|spec|stories)\.tsx?)` “([^”]+)”/g)];
      if (tests.length === 0) return !row.includes("Does not apply:");
      return tests.some(([, path = "", title = ""]) =>
        path.includes(".stories.")
          ? !read(path).includes(title)
          : faultOf({ path, title }, read) !== undefined,
      );
    });
    expect(unproved).toEqual([]);
  });
});
