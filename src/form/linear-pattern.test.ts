import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { LONGEST_TEXT } from "./check-value.ts";
import { compileLinear } from "./linear-pattern.ts";
import { type Pattern, STEP_LIMIT, countSteps, parsePattern } from "./testing/backtracking-matcher.ts";
import { REDOS_PATTERNS } from "./testing/redos-patterns.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

describe("compileLinear", () => {
  it.each([
    "",
    "^$",
    "^[A-Z]{2}\\d{4}$",
    "^\\d{5}(-\\d{4})?$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^\\+?[1-9]\\d{1,14}$",
    "^(dev|demo|prod)$",
    "^(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}$",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "^\\d{1,3}(,\\d{3})*$",
    "^#(?:[0-9a-f]{3}){1,2}$",
    "^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$",
    "^[^@]+@[^@]+$",
    "^\\p{Lu}{1,3}-?\\d$",
    "^é+a$",
    "^\\u{1F600}{2}$",
    "^\\x41\\n\\.\\/[\\]\\-a]*?$",
    "^[\\ud83d\\ude00-\\ud83d\\ude4f]+$",
    "^\\u00e9\\u0061+$",
    "^(?:a*b)*c",
    "^a{2,}$",
    "^a|^b",
    "\\d{3}",
    ".+",
    "\\S",
    "[a-z]*",
    "foo|bar",
    "[^b]{49}b",
    "^(?:(?:(?:(?:a{9}){9}){9}){9}){9}$",
    "^[A-Za-z]{1,2}\\d[A-Za-z\\d]? ?\\d[A-Za-z]{2}$",
    "x{0}",
  ])("compiles %s", (source) => {
    expect(compileLinear(source)).toMatchObject({ unicode: true, global: false });
  });

  it("captures no groups, so that a repetition of many groups stores nothing", () => {
    const groups = compileLinear(`^${"(".repeat(200)}a${")".repeat(200)}*$`);
    expect(groups?.test("a".repeat(LONGEST_TEXT))).toBe(true);
    expect(compileLinear("^(?<year>\\d+)-(\\d)[(]\\($")?.exec("2026-1((")).toHaveLength(1);
  });

  it.each([
    ["^(a+)+$", "a repeat in a repeat"],
    ["^(a*)*$", "a repeat of what may be empty"],
    ["^(a|a)*$", "two ways through a repeat"],
    ["^(a|ab)*c$", "two ways through a repeat"],
    ["^(?:a?){25}a{25}$", "a choice many times over"],
    ["^(?:a|aa){20}$", "a choice many times over"],
    ["^\\d+\\d+$", "neighbours that share characters"],
    ["^.*.*$", "neighbours that share characters"],
    ["^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "neighbours that share the dot"],
    ["^\\w+\\W*\\w*$", "neighbours that share characters across one that may be empty"],
    ["^é+ü+$", "neighbours that may share characters: others than ASCII are not told apart"],
    ["^\\s+\\u00a0$", "neighbours that may share characters: white space has others than ASCII"],
    ["\\d+$", "no anchor: tried from each digit anew"],
    ["(?:a|b+)c", "no anchor"],
    ["^a|b+c", "no anchor in one alternative"],
    ["(?:^a)?b+c", "an anchor that may be left out"],
    ["^(?:(?:(?:(?:^){99}){99}){99}){99}$", "an empty match many times over"],
    ["^(?:a?){10}a$", "a choice many times over, although in a short text"],
    ["^(?:(?:(?:(?:(?:a{9}){9}){9}){9}){9}){9}$", "five groups that are counted"],
    ["a*\\+", "no anchor, and an end that only looks repeated"],
    ["a{0,2000}b", "no anchor and a long match"],
    ["[^b]{999}b", "no anchor and a long match"],
    ["[^b]{50}b", "no anchor, and one character more than is short"],
    ["a{0,40}b{0,40}c", "no anchor and a long match"],
    ["^[^a]+é$", "neighbours that share characters outside ASCII"],
    ["^(?:a*b|a)*", "two ways through a repeat, although its end cannot fail"],
    ["^(?:a*b|a)+", "two ways through a repeat, although its end cannot fail"],
    ["^(?:\\ud83d\\ude00?a+)*$", "two escapes that are one character"],
    ["^\\ud83d+$", "half a character"],
    ["a\\b", "a word boundary"],
    ["^\\cJ$", "an escape that is not on the list"],
    ["^(?:^|a)*$", "a repeat of what may be empty"],
    ["^(a)\\1$", "a backreference"],
    ["^(?<x>a)\\k<x>$", "a backreference"],
    ["^(?=a)a$", "lookahead"],
    ["^(?!a)b$", "lookahead"],
    ["(?<=a)b", "lookbehind"],
    ["(?<!a)b", "lookbehind"],
    [`^${"a".repeat(500)}$`, "too long to be looked into"],
  ])("leaves %s to the server: %s", (source) => {
    expect(new RegExp(source, "u")).toBeInstanceOf(RegExp);
    expect(compileLinear(source)).toBeUndefined();
  });

  // The engine refuses these: the second with the flag `u` only, and the third before its groups lose their names.
  it.each(["a**", "\\-", "(?<n>a)(?<n>b)"])("leaves %s, which does not compile, to the server", (source) => {
    expect(compileLinear(source)).toBeUndefined();
  });

  it("accepts any string without throwing", () => {
    const part = fc.constantFrom(
      "a",
      "(",
      ")",
      "|",
      "*",
      "+",
      "?",
      "{2}",
      "{1,}",
      "[^a]",
      "[",
      "]",
      "^",
      "$",
      "\\",
      "\\d",
      "(?:",
      "(?<n>",
      "(?=",
      "-",
      "\\b",
      "é",
      "😀",
      "}",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const compiled = compileLinear(parts.join(""));
        expect(compiled === undefined || compiled.unicode).toBe(true);
      }),
      runs,
    );
  });
});

/** The number of steps for texts with `times`, twice and four times as many pumps. */
function growth(
  pattern: Pattern,
  { before = "", pump, after = "" }: { before?: string; pump: string; after?: string },
  times: number,
  limit = STEP_LIMIT,
): readonly [number, number, number] {
  const steps = (count: number) => countSteps(pattern, before + pump.repeat(count) + after, limit).steps;
  return [steps(times), steps(2 * times), steps(4 * times)];
}

/**
 * Whether steps grow no faster than the text: twice the text adds at most twice as many as before. In a quadratic
 * pattern they are four times as many.
 */
function isInProportion(
  [short, middle, long]: readonly [number, number, number],
  limit = STEP_LIMIT,
): boolean {
  return long < limit && long - middle <= 2.5 * (middle - short) + 500;
}

describe.each(REDOS_PATTERNS)("the known pattern $source ($known)", ({ source }) => {
  it("is not compiled", () => {
    expect(new RegExp(source, "u")).toBeInstanceOf(RegExp);
    expect(compileLinear(source)).toBeUndefined();
  });
});

it("every known pattern would hang a regular expression engine that backtracks", () => {
  const harmless = REDOS_PATTERNS.filter(({ source, ...text }) =>
    isInProportion(growth(parsePattern(source), text, 100)),
  );
  expect(harmless).toEqual([]);
});

const node = fc.letrec<{ node: Pattern }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({
      kind: fc.constant("set" as const),
      source: fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\w", "é", "\\ud83d\\ude00", "\\u{61}", "[^]"),
    }),
    fc.record({ kind: fc.constant("edge" as const), source: fc.constantFrom("^" as const, "$" as const) }),
    fc.record({
      kind: fc.constantFrom("sequence" as const, "alternatives" as const),
      parts: fc.array(tie("node"), { minLength: 1, maxLength: 4 }),
    }),
    fc
      .record({
        part: tie("node"),
        range: fc.constantFrom(
          [0, Infinity],
          [1, Infinity],
          [0, 1],
          [2, 2],
          [1, 3],
          [2, Infinity],
          [0, 30],
          [40, 60],
        ),
        lazy: fc.boolean(),
      })
      .map(({ part, range: [least = 0, most = 0], lazy }) => ({
        kind: "repeat" as const,
        part,
        least,
        most,
        lazy,
      })),
  ),
})).node;

const SHORT: Readonly<Record<string, string>> = { "0,Infinity": "*", "1,Infinity": "+", "0,1": "?" };

/** Writes a pattern with groups only where they are needed. */
function toSource(piece: Pattern): string {
  switch (piece.kind) {
    case "set":
    case "edge":
      return piece.source;
    case "sequence":
      return piece.parts
        .map((part) => (part.kind === "alternatives" ? `(?:${toSource(part)})` : toSource(part)))
        .join("");
    case "alternatives":
      return piece.parts.map(toSource).join("|");
    case "repeat": {
      const { part, least, most, lazy } = piece;
      const range = `{${least}${least === most ? "" : `,${most === Infinity ? "" : most}`}}`;
      const quantifier = `${SHORT[`${least},${most}`] ?? range}${lazy ? "?" : ""}`;
      return (part.kind === "set" ? part.source : `(${toSource(part)})`) + quantifier;
    }
  }
}

/** Sources of patterns, most of which compile: some from a grammar, some from pieces in any order. */
const source = fc.oneof(
  node.map(toSource),
  node.map((pattern) => `^${toSource(pattern)}`),
  fc
    .array(
      fc.constantFrom(
        "^",
        "a",
        "b",
        "é",
        "\\ud83d",
        "\\ude00",
        "[ab]",
        "(?:",
        "(",
        ")",
        "|",
        "*",
        "+",
        "?",
        "{2}",
        "$",
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join("")),
);
const piece = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "\n"), maxLength: 3 });

describe("a pattern that is compiled", () => {
  it("takes steps in proportion to the length of the text, and few for each character", () => {
    fc.assert(
      fc.property(source, piece, piece, piece, (written, before, pump, after) => {
        fc.pre(compileLinear(written) !== undefined);
        const pattern = parsePattern(written);
        const steps = growth(pattern, { before, pump, after }, 100, 20 * STEP_LIMIT);
        expect(isInProportion(steps, 20 * STEP_LIMIT), `${written} took ${steps.join(", ")} steps`).toBe(
          true,
        );
        const characters = Array.from(before + pump.repeat(400) + after).length;
        // The matcher here counts several steps for one of an engine, and a short text may match in 1,000 ways.
        const mostSteps = 5000 * (characters + 1);
        expect(steps[2], `${written} took ${steps[2]} steps`).toBeLessThan(mostSteps);
      }),
      runs,
    );
  });

  it("finds the same matches as a backtracking engine", () => {
    fc.assert(
      fc.property(
        source,
        fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "\n"), maxLength: 8 }),
        (written, text) => {
          const compiled = compileLinear(written);
          fc.pre(compiled !== undefined);
          const { steps, found } = countSteps(parsePattern(written), text);
          fc.pre(steps < STEP_LIMIT);
          expect(compiled.test(text)).toBe(found);
        },
      ),
      runs,
    );
  });
});
