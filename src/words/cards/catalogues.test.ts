import { describe, expect, it } from "vitest";
import { ar } from "./ar.ts";
import type { Catalogue } from "./catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";

const KINDS = ["form", "connect", "open", "pay", "sign"] as const;

/** Every sentence of a catalogue. Functions are called with arguments that are easy to find again. */
function sentences(catalogue: Catalogue): Map<string, string> {
  const found = new Map<string, string>();
  function collect(path: string, value: unknown): void {
    if (typeof value === "string") found.set(path, value);
    else if (typeof value === "object")
      for (const [key, part] of Object.entries(value ?? {})) collect(`${path}.${key}`, part);
  }
  collect("", catalogue);
  for (const kind of KINDS) {
    found.set(`title ${kind}`, catalogue.title(kind));
    if (kind !== "form") found.set(`waiting ${kind}`, catalogue.waitingFor("{host}", kind));
    for (const outcome of [
      "accepted",
      "declined",
      "cancelled",
      "expired",
      "withdrawn",
      "failed",
      "gone",
    ] as const) {
      found.set(`receipt ${kind} ${outcome}`, catalogue.receipt(kind, outcome));
    }
  }
  for (const [code, sentence] of Object.entries(catalogue.errors))
    found.set(`error ${code}`, sentence("{limit}"));
  return found;
}

/** The sentences that take a limit, and those that contain it. */
const limited = ({ errors }: Catalogue) =>
  Object.entries(errors).map(([code, sentence]) => [
    code,
    sentence.length,
    sentence("{limit}").includes("{limit}"),
  ]);

describe.each([ar, de, es, fr, ja])("the catalogue $locale", (catalogue) => {
  it("translates every sentence of the English one", () => {
    const own = sentences(catalogue);
    const english = sentences(en);
    expect([...own.keys()]).toEqual([...english.keys()]);
    expect([...own].filter(([, sentence]) => sentence.trim() === "")).toEqual([]);
    const sameWords = [...own]
      .filter(([path, sentence]) => sentence === english.get(path))
      .map(([path]) => path);
    // Some words are the same in both languages.
    expect(sameWords.filter((path) => ![".dir", ".no", ".optional", ".inbox.chat"].includes(path))).toEqual(
      [],
    );
  });

  it("contains the limit in the same sentences as the English one", () => {
    expect(limited(catalogue)).toEqual(limited(en));
  });

  it("contains each name and number that a sentence is called with", () => {
    for (const kind of ["connect", "open", "pay", "sign"] as const) {
      expect(catalogue.title(kind, "NAME")).toContain("NAME");
      for (const outcome of ["accepted", "declined", "expired", "failed"] as const)
        expect(catalogue.receipt(kind, outcome, "NAME")).toContain("NAME");
      expect(catalogue.waitingFor("HOST", kind)).toContain("HOST");
    }
    expect(catalogue.imitates("HOST")).toContain("HOST");
    expect(catalogue.claimedName("NAME")).toContain("NAME");
    expect(catalogue.link("HOST")).toContain("HOST");
    expect(catalogue.decodedHost("HOST")).toContain("HOST");
    expect(catalogue.aboutQuestion("NAME", "REASON")).toMatch(/NAME.*REASON/);
    expect(catalogue.timeLeft("1:45")).toContain("1:45");
    expect(catalogue.roundProgress(1, 3)).toMatch(/1.*3|3.*1/);
    expect(catalogue.questionOf("2", "6")).toMatch(/2.*6/);
    expect(catalogue.moreOptions(40)).toContain("40");
    expect(catalogue.localTime("ZONE")).toContain("ZONE");
    expect(catalogue.secretsWarning("FIELDS")).toContain("FIELDS");
    expect(catalogue.range("1", "9")).toMatch(/1.*9/);
    expect(catalogue.range("1", undefined)).toMatch(/1/);
    expect(catalogue.range(undefined, "9")).toMatch(/9/);
    expect(catalogue.count(1, 9)).toMatch(/1.*9/);
    expect(catalogue.count(1, undefined)).toMatch(/1/);
    expect(catalogue.count(undefined, 9)).toMatch(/9/);
    expect(catalogue.count(2, 2).match(/2/g)).toHaveLength(1);
    for (const words of [catalogue.range("1", undefined), catalogue.count(undefined, 9)]) {
      expect(words).not.toContain("undefined");
    }
  });
});
