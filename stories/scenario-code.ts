/** Names of a script that `elicit-kit/mock-server` exports. */
const EXPORTED = ["askForm", "askToConnect", "call", "faults", "say", "together", "write"];

/**
 * The code of a mock server that plays a scenario, with the declarations that it uses.
 *
 * @param text of mock-server/scenarios.ts
 */
export function scenarioCode(text: string, name: string): string {
  const plain = withoutTypes(text);
  const scenario = new RegExp(`^  ${name}: (\\{$[^]*?^  \\}),$`, "m")
    .exec(plain)?.[1]
    ?.replaceAll(/^ {2}/gm, "");
  if (scenario === undefined) throw new Error(`elicit-kit: there is no scenario ${name}.`);
  const statements = [
    ...plain.matchAll(/^(?:const (\w+) = (?:.*;|[^]*?^[\])}]+;)|function (\w+)\([^]*?^\})$/gm),
  ].map(([statement, constant, named]) => ({ statement, name: constant ?? named ?? "" }));
  const used: string[] = [];
  let code = scenario;
  // Starts from the end, because a statement uses declarations above it.
  for (const { statement, name: defined } of statements.toReversed()) {
    if (!uses(code, defined)) continue;
    used.unshift(statement);
    code += statement;
  }
  const imports = ["createMockServer", ...EXPORTED.filter((each) => uses(code, each))].join(", ");
  return [
    `import { ${imports} } from "elicit-kit/mock-server";\n`,
    ...used.map((statement) => `${statement}\n`),
    `export const server = createMockServer(${scenario});\n`,
  ].join("\n");
}

function uses(code: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(code);
}

function withoutTypes(text: string): string {
  return text
    .replaceAll(/: (?:Script|string|ElicitationResult)\b/g, "")
    .replaceAll(/\): \(result\) => string \{/g, ") {");
}
