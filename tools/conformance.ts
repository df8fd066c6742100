/**
 * `npm run conformance`: runs the suite against each server of the repository and writes docs/evidence/conformance.md. It needs
 * the built package, Python and the test PostgreSQL, and takes some minutes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bootstrap, main, root } from "./bootstrap.mjs";
import { buildKit } from "./build.mjs";

await main(async () => {
  await bootstrap(import.meta.url);
  await buildKit();
  const { checkedServers } = await import("../test/contract/conformance-servers.ts");
  const { conformancePage } = await import("../test/contract/conformance-page.ts");
  const results = new Map<string, Awaited<ReturnType<(typeof checkedServers)[number]["check"]>>>();
  for (const server of checkedServers) {
    const cases = await server.check();
    const failed = cases.filter(({ status }) => status === "failed");
    console.log(`${server.name}: ${cases.length - failed.length} of ${cases.length} did not fail`);
    for (const { id } of failed) console.log(`  ${id}`);
    results.set(server.name, cases);
  }
  writeFileSync(join(root, "docs", "evidence", "conformance.md"), conformancePage(checkedServers, results));
});
