import { readFileSync, readdirSync } from "node:fs";
import { foldJson } from "./fold-json.ts";
import {
  type RecordedExchange,
  type RecordedProtocol,
  type Row,
  cellOf,
  nameOf,
  rowsOf,
} from "./recording.ts";

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

/** The texts of docs/evidence/recorded.md and of the pages in docs/evidence/recorded, by their paths from docs. */
export function protocolPages(recordings: Recordings): ReadonlyMap<string, string> {
  return new Map([
    ["evidence/recorded.md", indexOf(recordings)],
    ...[...recordings].map(
      ([name, protocol]) => [`evidence/recorded/${name}.md`, pageOf(name, protocol)] as const,
    ),
  ]);
}

const INTRODUCTION = `# One card, every protocol

<!-- Written by npm run protocols. -->

Whatever the protocol, the user sees the same card. Each page below shows what goes over the wire meanwhile: every message of every cell was recorded by a test that runs against the named package of other people. The test fails when a run differs from the page (random ids and times are replaced). Storybook shows the cards beside the messages.

All protocols are asked the same two questions: a form (“Which table shall I book?”) and a page to open (“The restaurant asks for a deposit.”).`;

function indexOf(recordings: Recordings): string {
  const protocols = [...recordings];
  const rows = uniqueRows(protocols.flatMap(([, protocol]) => rowsOf(protocol)));
  return joined([
    INTRODUCTION,
    protocols.map(([name, { title }]) => `- [${title}](recorded/${name}.md)`).join("\n"),
    "## What each protocol can do",
    "An outcome is how the question ended on our side: see [the contract](../contract.md). “Yes” stands for every revision or kind of peer, a name for this one only. The pages say why a cell is empty.",
    table([
      ["question, outcome", ...protocols.map(([name, { title }]) => `[${title}](recorded/${name}.md)`)],
      ...rows.map((row) => [nameOf(row), ...protocols.map(([, protocol]) => supportOf(protocol, row))]),
    ]),
  ]);
}

/** The rows that every protocol has. A way that only one protocol has is on its page. */
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

function pageOf(name: string, protocol: RecordedProtocol): string {
  const { title, about, guide, variants, exchanges } = protocol;
  const whys = new Map<string, number>();
  const noteOf = (why: string): string => {
    const number = whys.get(why) ?? whys.size + 1;
    whys.set(why, number);
    return `– (${number})`;
  };
  const cell = (row: Row, variant: string): string => {
    const found = cellOf(protocol, row, variant);
    if (found === undefined) return row.way === undefined ? "**missing**" : "";
    if ("why" in found) return noteOf(found.why);
    return `[${found.exchange.wire.length} messages](#${anchorOf(headingOf(title, found.exchange))})`;
  };
  const rows = rowsOf(protocol).map((row) => [nameOf(row), ...variants.map((variant) => cell(row, variant))]);
  return joined([
    `# ${title}`,
    "<!-- Written by npm run protocols. -->",
    about,
    `How to set it up: [the guide](${guide}). The same as data: [${name}.json](${name}.json). [All protocols](../recorded.md).`,
    table([["question, outcome", ...variants], ...rows]),
    [...whys].map(([why, number]) => `- (${number}) ${why}`).join("\n"),
    ...exchanges.map((exchange) => sectionOf(title, exchange)),
  ]);
}

/** The first row is the heading. */
function table([heading = [], ...rows]: readonly (readonly string[])[]): string {
  return [heading, heading.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function joined(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

function prefixOf(title: string): string {
  return title.split(":")[0] ?? title;
}

function headingOf(title: string, exchange: RecordedExchange): string {
  const protocol = prefixOf(title);
  const { variant } = exchange;
  const peer = variant.startsWith(protocol) ? variant : `${protocol} ${variant}`;
  return `${peer}: ${nameOf(exchange)}`;
}

/** The anchor of a heading, as GitHub creates it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function sectionOf(title: string, exchange: RecordedExchange): string {
  const messages = exchange.wire.map(({ from, message }) => `${from}: ${foldJson(message, from.length + 2)}`);
  return `## ${headingOf(title, exchange)}

With \`${exchange.counterpart}\`.

\`\`\`text
${messages.join("\n")}
\`\`\``;
}
