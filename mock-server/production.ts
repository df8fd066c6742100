/**
 * Whether this process, or the build this page came from, is a production one. Bundlers put a text in the place of this
 * very expression; in a page that nobody bundled there is no `process`.
 */
function isProduction(): boolean {
  try {
    return process.env["NODE_ENV"] === "production";
  } catch {
    return false;
  }
}

/** A mock server that is forgotten in a deployment would let everybody in as one user. */
export function refuseInProduction(allowInProduction: boolean | undefined): void {
  if (allowInProduction === true || !isProduction()) return;
  throw new Error(
    "elicit-kit: the mock server signs everybody in as the same user, so it does not start under NODE_ENV=production. A real server is createRuntime() of elicit-kit/runtime. For a book, a demo or a test of a production build, say allowInProduction: true.",
  );
}
