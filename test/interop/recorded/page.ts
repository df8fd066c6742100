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

const FOLDER = new URL("../../../docs/protocols/", import.meta.url);

/** The files of docs/protocols, by their names. */
export function readRecordings(): ReadonlyMap<string, RecordedProtocol> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return new Map(files.map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]));
}

/** The text of docs/protocols.md. */
export function protocolsPage(recordings: ReadonlyMap<string, RecordedProtocol>): string {
  return `${[INTRODUCTION, ...[...recordings].flatMap(partOf)].join("\n\n")}\n`;
}

const INTRODUCTION = `# One card, every protocol

<!-- Written by npm run protocols. -->

Whatever the protocol, the person sees the same card. This page shows what went over the wire beside it. Every cell was recorded by a test that runs against the named package of other people, and the test fails when a run differs from what stands here (random ids and times are replaced). Storybook shows the same page with the cards.

All protocols are asked the same two questions: a form (“Which table shall I book?”) and a page to open (“The restaurant asks for a deposit.”). An outcome is how the question ended on our side: see [the contract](contract.md).`;

function partOf([file, protocol]: readonly [string, RecordedProtocol]): string[] {
  const { title, about, variants, exchanges } = protocol;
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
  const table = [["question, outcome", ...variants], ["---", ...variants.map(() => "---")], ...rows];
  return [
    `## ${title}`,
    `${about} As data: [${file}](protocols/${file}).`,
    table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"),
    [...whys].map(([why, number]) => `- (${number}) ${why}`).join("\n"),
    ...exchanges.map((exchange) => sectionOf(title, exchange)),
  ];
}

function headingOf(title: string, exchange: RecordedExchange): string {
  const [protocol] = title.split(":");
  return `${protocol} ${exchange.variant}: ${nameOf(exchange)}`;
}

/** As GitHub names headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function sectionOf(title: string, exchange: RecordedExchange): string {
  const messages = exchange.wire.map(({ from, message }) => `${from}: ${foldJson(message, from.length + 2)}`);
  return `### ${headingOf(title, exchange)}

With \`${exchange.counterpart}\`.

\`\`\`text
${messages.join("\n")}
\`\`\``;
}
