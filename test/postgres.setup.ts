import type { TestProject } from "vitest/node";
import { startPostgres } from "../tools/postgres.mjs";

/** Starts one server for all tests on PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: ["max_connections=200"] });
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}
