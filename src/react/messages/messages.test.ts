import { describe, expect, it } from "vitest";
import { ar } from "./ar.ts";
import type { Messages } from "./catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";

/** Every sentence of a catalogue, each function called with words that are easy to find again. */
function sentences(messages: Messages): Map<string, string> {
  const found = new Map<string, string>();
  function collect(path: string, value: unknown): void {
    if (typeof value === "string") found.set(path, value);
    else if (typeof value === "object")
      for (const [key, part] of Object.entries(value ?? {})) collect(`${path}.${key}`, part);
  }
  collect("", messages);
  for (const mode of ["url", "form"] as const) {
    found.set(`title ${mode}`, messages.title(mode, undefined));
    for (const outcome of [
      "accepted",
      "declined",
      "cancelled",
      "expired",
      "withdrawn",
      "failed",
      "gone",
    ] as const) {
      found.set(`receipt ${mode} ${outcome}`, messages.receipt(mode, outcome));
    }
  }
  found.set("title credential", messages.title("url", "credential_required"));
  for (const [code, sentence] of Object.entries(messages.errors))
    found.set(`error ${code}`, sentence("{limit}"));
  return found;
}

/** Which sentences take a limit, and which say it. */
const limited = ({ errors }: Messages) =>
  Object.entries(errors).map(([code, sentence]) => [
    code,
    sentence.length,
    sentence("{limit}").includes("{limit}"),
  ]);

describe.each([ar, de, es, fr, ja])("the catalogue $locale", (messages) => {
  it("says all that the English one says, in other words", () => {
    const own = sentences(messages);
    const english = sentences(en);
    expect([...own.keys()]).toEqual([...english.keys()]);
    expect([...own].filter(([, sentence]) => sentence.trim() === "")).toEqual([]);
    const sameWords = [...own]
      .filter(([path, sentence]) => sentence === english.get(path))
      .map(([path]) => path);
    // Words that happen to be the same in both languages.
    expect(sameWords.filter((path) => ![".dir", ".no", ".optional"].includes(path))).toEqual([]);
  });

  it("names the limit wherever the English one does, and takes one only there", () => {
    expect(limited(messages)).toEqual(limited(en));
  });

  it("passes on every name and number", () => {
    expect(messages.requester("NAME")).toContain("NAME");
    expect(messages.claimedName("NAME")).toContain("NAME");
    expect(messages.link("HOST")).toContain("HOST");
    expect(messages.decodedHost("HOST")).toContain("HOST");
    expect(messages.aboutQuestion("NAME", "REASON")).toMatch(/NAME.*REASON/);
    expect(messages.timeLeft("1:45")).toContain("1:45");
    expect(messages.roundProgress(1, 3)).toMatch(/1.*3|3.*1/);
    expect(messages.moreOptions(40)).toContain("40");
    expect(messages.localTime("ZONE")).toContain("ZONE");
    expect(messages.secretsWarning("FIELDS")).toContain("FIELDS");
    expect(messages.range("1", "9")).toMatch(/1.*9/);
    expect(messages.range("1", undefined)).toMatch(/1/);
    expect(messages.range(undefined, "9")).toMatch(/9/);
    expect(messages.count(1, 9)).toMatch(/1.*9/);
    expect(messages.count(1, undefined)).toMatch(/1/);
    expect(messages.count(undefined, 9)).toMatch(/9/);
    expect(messages.count(2, 2).match(/2/g)).toHaveLength(1);
    for (const words of [messages.range("1", undefined), messages.count(undefined, 9)]) {
      expect(words).not.toContain("undefined");
    }
  });
});
