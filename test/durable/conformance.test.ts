import { createServer, request as sendRequest } from "node:http";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { conformanceCases, runCase } from "elicit-kit/conformance";
import type { TurnRunner } from "elicit-kit/runtime/ports";
import { createDbosRunner } from "elicit-kit/dbos";
import { type PostgresPorts, createPostgresPorts } from "elicit-kit/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { completionsHook, contractHooks, tagsOf } from "../contract/contract-options.ts";
import { type ServedContractRuntime, startContractRuntime } from "../contract/serve-contract-runtime.ts";
import { patience } from "../patience.ts";
import { listen } from "../stages/listen.ts";

/** Requests that start a turn. All other requests go to the other process. */
const STARTS = /^\/run\/(?:api\/chat|v1\/chat\/completions)$/;

const ignore = () => {};
/** Shorter than the time that a user takes to answer. */
const parkAfterMs = 5;

/** Errors in the background. */
const failures: unknown[] = [];

interface Engine {
  readonly durable?: Parameters<typeof createPostgresPorts>[0]["durable"];
  /** Replaces the runner of the ports. */
  runnerOn?(ports: PostgresPorts): Promise<TurnRunner>;
}

/** What runs the turns, by its name in the titles. Both processes share the DBOS of this one. */
const ENGINES: Readonly<Record<string, Engine>> = {
  "in its memory": {},
  "with steps in PostgreSQL, and parks them": { durable: { parkAfterMs } },
  "on DBOS, and parks them": {
    runnerOn: (ports) =>
      createDbosRunner({ ports, dbos: DBOS, parkAfterMs, onError: (error) => failures.push(error) }),
  },
};

for (const [number, [where, { durable, runnerOn }]] of Object.entries(ENGINES).entries()) {
  // The others only in `npm run test:long`: turns in PostgreSQL follow the same rules, and more.
  const tags = durable === undefined ? ["long"] : [];
  describe(
    `one process runs the turns ${where}, and another one handles all other requests`,
    { tags },
    () => {
      const servers: ServedContractRuntime[] = [];
      const closing: (() => Promise<void>)[] = [];
      let origin: string;

      beforeAll(async () => {
        const connectionString = inject("postgresUrl");
        const schema = `conformance_${process.pid}_${number}`;
        DBOS.setConfig({
          name: "conformance",
          systemDatabaseUrl: connectionString,
          systemDatabaseSchemaName: `${schema}_dbos`,
          useListenNotify: false,
          logger: { info: ignore, debug: ignore, warn: ignore, error: (entry) => failures.push(entry) },
        });
        for (let n = 0; n < 2; n += 1) {
          const ports = await createPostgresPorts({
            connectionString,
            schema,
            // Without a key, answers are not remembered.
            key: Buffer.alloc(32, 2),
            durable,
            onError: (error) => failures.push(error),
          });
          const server = await startContractRuntime({
            ports: runnerOn === undefined ? ports : { ...ports, runner: await runnerOn(ports) },
            answerKey: Buffer.alloc(32, 1),
          });
          servers.push(server);
          closing.push(
            () => server.close(),
            () => ports.close(),
          );
        }
        await DBOS.launch();
        closing.push(() => DBOS.shutdown());
        const [runner, other] = servers;
        const proxy = createServer((request, response) => {
          const { url = "", method, headers } = request;
          const target = method === "POST" && STARTS.test(url) ? runner : other;
          const forwarded = sendRequest(`${target!.url}${url}`, { method, headers }, (reply) => {
            response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
            reply.pipe(response);
          });
          request.pipe(forwarded);
          // When a client disconnects, the server must notice.
          response.on("close", () => forwarded.destroy());
          forwarded.on("error", () => response.destroy());
        });
        const { url, close } = await listen(proxy);
        origin = url;
        closing.unshift(close);
      });
      afterAll(async () => {
        for (const close of closing) await close();
      });

      for (const testCase of conformanceCases) {
        const { id, rule } = testCase;
        it(`${id}: ${rule}`, { tags: tagsOf(id) }, async () => {
          const { elicitations } = servers[1]!.runtime;
          const hooks = {
            ...contractHooks,
            ...completionsHook(origin),
            // Other processes answer slowly: the completion must come before the last look.
            lookUpMs: 20,
            completeOutside: async (elicitationId: string) =>
              void (await elicitations.complete(elicitationId)),
            failOutside: async (elicitationId: string, lastError: string) =>
              void (await elicitations.fail(elicitationId, lastError)),
          };
          const result = await runCase(testCase, {
            api: `${origin}/run/api`,
            hooks,
            patienceMs: patience.expect.poll.timeout,
          });
          expect(result).toEqual({ id, rule, status: "passed" });
        });
      }

      it("reports no error after all cases", () => {
        expect([...failures.splice(0), ...servers.flatMap(({ errors }) => errors)]).toEqual([]);
      });
    },
  );
}
