/**
 * Whether this process, or the build of this page, is a production one. Bundlers replace exactly this expression with a
 * text; in a page without a bundler there is no `process`.
 */
function isProduction(): boolean {
  try {
    return process.env["NODE_ENV"] === "production";
  } catch {
    return false;
  }
}

/** A mock server that is deployed by mistake would accept everyone as one user. */
export function refuseInProduction(allowInProduction: boolean | undefined): void {
  if (allowInProduction === true || !isProduction()) return;
  throw new Error(
    "elicit-kit: the mock server signs everybody in as the same user, so it does not start under NODE_ENV=production. A real server is createRuntime() of elicit-kit/runtime. For a book, a demo or a test of a production build, say allowInProduction: true.",
  );
}
