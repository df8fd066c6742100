import { readFileSync, readdirSync } from "node:fs";
import { type RecordedProtocol, type Row, cellOf, nameOf, rowsOf } from "./recording.ts";

const FOLDER = new URL("../../../docs/evidence/recorded/", import.meta.url);

/** The recordings of docs/evidence/recorded, by the names of their files without `.json`. */
export type Recordings = ReadonlyMap<string, RecordedProtocol>;

export function readRecordings(): Recordings {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));
  return new Map(
    files.map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")),
    ]),
  );
}

const INTRODUCTION = `# One card, every protocol

<!-- Written by npm run protocols. -->

Whatever the protocol, the user sees the same card. Each file below has what goes over the wire meanwhile: every message of every cell was recorded by a test that runs against the named package of other people. The test fails when a run differs from the file (random ids and times are replaced). Storybook shows the cards beside the messages.

All protocols are asked the same two questions: a form (“Which table shall I book?”) and a page to open (“The restaurant asks for a deposit.”).`;

/** The text of docs/evidence/recorded.md. */
export function recordedPage(recordings: Recordings): string {
  const protocols = [...recordings];
  const rows = uniqueRows(protocols.flatMap(([, protocol]) => rowsOf(protocol)));
  return joined([
    INTRODUCTION,
    protocols
      .map(
        ([name, { title, about, guide }]) => `- [${title}](${pathOf(name)}). ${about} [The guide](${guide}).`,
      )
      .join("\n"),
    "## What each protocol can do",
    "An outcome is how the question ended on our side: see [the contract](../contract.md). “Yes” stands for every revision or kind of peer, a name for this one only. The `gaps` of a file say why a cell is empty.",
    table([
      ["question, outcome", ...protocols.map(([name, { title }]) => `[${title}](${pathOf(name)})`)],
      ...rows.map((row) => [nameOf(row), ...protocols.map(([, protocol]) => supportOf(protocol, row))]),
    ]),
  ]);
}

const pathOf = (name: string): string => `recorded/${name}.json`;

/** The rows that every protocol has. A way that only one protocol has is in its file. */
function uniqueRows(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.filter(({ way }) => way === undefined).map((row) => [nameOf(row), row])).values()];
}

function supportOf(protocol: RecordedProtocol, row: Row): string {
  const recorded = protocol.variants.filter((variant) => {
    const found = cellOf(protocol, row, variant);
    return found !== undefined && "exchange" in found;
  });
  if (recorded.length === protocol.variants.length) return "yes";
  return recorded.length === 0 ? "–" : recorded.join(", ");
}

/** The first row is the heading. */
function table([heading = [], ...rows]: readonly (readonly string[])[]): string {
  return [heading, heading.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function joined(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}
