import { conformanceCases } from "elicit-kit/conformance";
import type { CaseResult } from "../../extras/conformance/case.ts";
import type { ConformanceLevel } from "../../extras/conformance/case.ts";
import type { CheckedServer } from "./conformance-servers.ts";

const MARKS = { passed: "yes", failed: "**no**", "not-checked": "–" } as const;

/** The text of docs/evidence/conformance.md: a table for each level, and the actual behaviour for each broken rule. */
export function conformancePage(
  servers: readonly CheckedServer[],
  results: ReadonlyMap<string, readonly CaseResult[]>,
): string {
  const resultOf = ({ name }: CheckedServer, id: string) => results.get(name)?.find((each) => each.id === id);

  function table(level: ConformanceLevel): string {
    const columns = servers.filter((server) => level === "basic" || server.level === level);
    const rows = conformanceCases
      .filter((each) => each.level === level)
      .map(({ id, rule }) => {
        const marks = columns.map((server) => {
          const result = resultOf(server, id);
          return result === undefined ? "" : MARKS[result.status];
        });
        return [`\`${id}\``, rule, ...marks];
      });
    const head = ["case", "rule", ...columns.map(({ name }) => name)];
    return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  }

  const notes = servers.flatMap((server) =>
    (results.get(server.name) ?? []).flatMap((result) =>
      result.status === "passed" ? [] : [`- ${server.name}, \`${result.id}\`: ${firstLine(result.detail)}`],
    ),
  );
  return `# Who keeps which rule

Written by \`npm run conformance\`, which runs the [suite](../testing/your-server.md) against each server. *yes*: kept. **no**: broken. –: not checked, because the server has nothing to check it with. The [levels](../contract.md#levels) are those of the contract.

## Basic

${table("basic")}

## Full

${table("full")}

## What was not kept, or not checked

${notes.join("\n")}
`;
}

function firstLine(text: string): string {
  return text.split("\n")[0]?.trim() ?? "";
}
