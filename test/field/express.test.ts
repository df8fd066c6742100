import compression from "compression";
import { getRequestListener } from "@hono/node-server";
import { createRuntime } from "elicit-kit/runtime";
import express from "express";
import { createServer } from "node:http";
import { expect, onTestFinished } from "vitest";
import { listen } from "../stages/listen.ts";
import { CITY, asking } from "../stages/test-runtime.ts";
import { fieldCase } from "./field-case.ts";

/** A runtime in an app of Express, behind other middleware. */
async function mount(...before: readonly express.RequestHandler[]) {
  const errors: unknown[] = [];
  const runtime = createRuntime({
    runTurn: asking(CITY),
    authenticate: () => ({ id: "ada" }),
    allowedOrigins: [],
    onError: (error) => errors.push(error),
  });
  const app = express();
  for (const one of before) app.use(one);
  app.all(/^\/run\//, getRequestListener(runtime.fetch));
  const server = await listen(createServer(app));
  onTestFinished(async () => {
    await runtime.close();
    await server.close();
  });
  const url = `${server.url}/run/api/chat`;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const say = () =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-supports-elicitation": "true" },
      body: JSON.stringify({
        id: "c1",
        messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] }],
      }),
      signal: stop.signal,
    });
  return { say, errors };
}

fieldCase(
  { sources: ["vercel/ai#11917", "nestjs/nest#5762"], before: "failed" },
  "a question arrives at once behind compression() of Express",
  async () => {
    const { say } = await mount(compression({ threshold: 0 }));
    const response = await say();
    expect(response.headers.get("content-encoding")).toBeNull();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let read = "";
    while (!read.includes("Where to?")) read += (await reader.read()).value ?? "";
    await reader.cancel();
  },
);

fieldCase(
  { sources: ["honojs/node-server#223", "expressjs/express#4948"], before: "failed" },
  "a runtime behind express.json() says in the log where it must stand",
  async () => {
    const { say, errors } = await mount(express.json());
    expect((await say()).status).toBe(500);
    expect(errors.map(String).join()).toContain("Mount the runtime before express.json()");
  },
);
