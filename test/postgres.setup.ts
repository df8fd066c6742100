import { DBOS } from "@dbos-inc/dbos-sdk";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { createPostgresPorts } from "../extras/postgres/index.ts";
import { startPostgres } from "../tools/postgres.mjs";

/** Starts one server for all tests on PostgreSQL, and creates the database that the tests copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: ["max_connections=200"] });
  const template = `template_${process.pid}`;
  await onServer(server.url, `create database ${template} template template0`);
  await migrate(Object.assign(new URL(server.url), { pathname: `/${template}` }).href);
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", template);
  return async () => {
    await onServer(server.url, `drop database ${template}`);
    await server.stop();
  };
}

async function migrate(connectionString: string): Promise<void> {
  const errors: unknown[] = [];
  const ports = await createPostgresPorts({ connectionString, onError: (error) => errors.push(error) });
  await ports.close();
  await DBOS.migrate(connectionString);
  if (errors.length > 0) throw new AggregateError(errors, "elicit-kit: the template database was not made.");
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}
