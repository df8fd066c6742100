import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { compileLinear } from "./linear-pattern.ts";

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
    "^\\x41\\cJ\\.\\/[\\]\\-a]*?$",
    "^(?:a*b)*c",
    "^a{2,}$",
    "^a|^b",
    "\\d{3}",
    ".+",
    "\\S",
    "[a-z]*",
    "foo|bar",
    "a\\b",
    "x{0}",
  ])("runs %s", (source) => {
    expect(compileLinear(source)?.source).toBe(new RegExp(source, "u").source);
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
    ["a{0,2000}b", "no anchor and a long match"],
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

  it.each(["[", "(", "a**", "\\", "\\-", "{", "(?<n>a)(?<n>b)", "[b-a]"])(
    "leaves %s, which does not compile, to the server",
    (source) => {
      expect(compileLinear(source)).toBeUndefined();
    },
  );

  it("leaves a pattern that is too large to run to the server", () => {
    expect(compileLinear("^(?:(?:(?:(?:\\d{99}){99}){99}){99}){99}$")).toBeUndefined();
  });

  it("takes any string without throwing", () => {
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

/*
 * The claim itself: however a text looks, matching a pattern that is run takes steps in proportion to its length.
 * Checked with a matcher that backtracks as JavaScript's does, in the same order, and counts.
 */
type Node =
  | { kind: "set"; source: string }
  | { kind: "edge"; source: "^" | "$" }
  | { kind: "sequence" | "alternatives"; parts: readonly Node[] }
  | { kind: "repeat"; part: Node; least: number; most: number };

const node = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({
      kind: fc.constant("set" as const),
      source: fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\w", "é"),
    }),
    fc.record({ kind: fc.constant("edge" as const), source: fc.constantFrom("^" as const, "$" as const) }),
    fc.record({
      kind: fc.constantFrom("sequence" as const, "alternatives" as const),
      parts: fc.array(tie("node"), { maxLength: 4 }),
    }),
    fc
      .record({
        part: tie("node"),
        range: fc.constantFrom([0, Infinity], [1, Infinity], [0, 1], [2, 2], [1, 3], [2, Infinity]),
      })
      .map(({ part, range: [least = 0, most = 0] }) => ({ kind: "repeat" as const, part, least, most })),
  ),
})).node;

function toSource(piece: Node): string {
  switch (piece.kind) {
    case "set":
    case "edge":
      return piece.source;
    case "sequence":
      return piece.parts.map((part) => `(?:${toSource(part)})`).join("");
    case "alternatives":
      return `(?:${piece.parts.map(toSource).join("|")})`;
    case "repeat":
      return `(?:${toSource(piece.part)}){${piece.least},${piece.most === Infinity ? "" : piece.most}}`;
  }
}

const LIMIT = 200_000;

/** How many steps a search takes; `LIMIT` when it is that many or more. */
function countSteps(pattern: Node, text: string): { steps: number; found: boolean } {
  let steps = 0;
  function match(piece: Node, at: number, next: (at: number) => boolean): boolean {
    if (++steps >= LIMIT) return true;
    switch (piece.kind) {
      case "set":
        return at < text.length && new RegExp(`^${piece.source}$`, "u").test(text.charAt(at)) && next(at + 1);
      case "edge":
        return at === (piece.source === "^" ? 0 : text.length) && next(at);
      case "sequence": {
        const from = (index: number, start: number): boolean => {
          const part = piece.parts[index];
          return part === undefined ? next(start) : match(part, start, (end) => from(index + 1, end));
        };
        return from(0, at);
      }
      case "alternatives":
        return piece.parts.length === 0 ? next(at) : piece.parts.some((part) => match(part, at, next));
      case "repeat": {
        const round = (done: number, start: number): boolean =>
          (done < piece.most &&
            match(piece.part, start, (end) => (end > start || done < piece.least) && round(done + 1, end))) ||
          (done >= piece.least && next(start));
        return round(0, at);
      }
    }
  }
  let found = false;
  for (let start = 0; start <= text.length && !found; start++) found = match(pattern, start, () => true);
  return { steps, found: found && steps < LIMIT };
}

describe("a pattern that is run", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 3 });

  it("takes steps in proportion to the length of the text", () => {
    fc.assert(
      fc.property(node, word, word, word, (pattern, before, pump, after) => {
        const source = toSource(pattern);
        fc.pre(compileLinear(source) !== undefined);
        const steps = [20, 40, 80].map(
          (times) => countSteps(pattern, before + pump.repeat(times) + after).steps,
        );
        const [short = 0, middle = 0, long = 0] = steps;
        // Twice the text adds twice as many steps as before: not four times (quadratic), and no end (exponential).
        expect(long - middle, `${source} took ${steps.join(", ")} steps`).toBeLessThanOrEqual(
          2 * (middle - short) + 200,
        );
      }),
      runs,
    );
  });

  it("finds what a matcher that does not hurry finds", () => {
    fc.assert(
      fc.property(
        node,
        fc.string({ unit: fc.constantFrom("a", "b", "é", "\n"), maxLength: 8 }),
        (pattern, text) => {
          const compiled = compileLinear(toSource(pattern));
          fc.pre(compiled !== undefined);
          const { steps, found } = countSteps(pattern, text);
          fc.pre(steps < LIMIT);
          expect(compiled.test(text)).toBe(found);
        },
      ),
      runs,
    );
  });

  it("would be told from one that is not linear", () => {
    const slow: Node = {
      kind: "repeat",
      least: 1,
      most: Infinity,
      part: { kind: "repeat", least: 1, most: Infinity, part: { kind: "set", source: "a" } },
    };
    const anchored: Node = {
      kind: "sequence",
      parts: [{ kind: "edge", source: "^" }, slow, { kind: "edge", source: "$" }],
    };
    expect(countSteps(anchored, `${"a".repeat(40)}b`).steps).toBe(LIMIT);
    expect(compileLinear(toSource(anchored))).toBeUndefined();
  });
});
