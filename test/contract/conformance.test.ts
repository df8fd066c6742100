import { type ConformanceHooks, conformanceCases, runCase } from "elicit-kit/conformance";
import { createMockServer } from "elicit-kit/mock-server";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { patience } from "../patience.ts";
import { contractAgent } from "./contract-agent.ts";
import { completionsHook, contractHooks, outsideHooks } from "./contract-options.ts";
import { isTo, json } from "./mutants/mutant.ts";

const api = "http://mock.test/run/api";
const patienceMs = patience.expect.poll.timeout;

function startServer() {
  const server = createMockServer(contractAgent);
  afterAll(() => server.close());
  return server;
}

describe("a server with a rate limit for writes", () => {
  const server = startServer();
  /** Refuses each write once. */
  let writes = 0;
  const limited: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "POST") return server.fetch(request);
    writes += 1;
    if (writes % 2 === 0) return server.fetch(request);
    const problem = { title: "Too many requests", status: 429, detail: "Wait." };
    const response = json(429, problem);
    response.headers.set("retry-after", "0");
    return response;
  };
  const hooks = { ...contractHooks, ...completionsHook("http://mock.test"), ...outsideHooks(server) };

  // The rule about the limit itself does not wait.
  const waiting = conformanceCases.filter(({ id }) => id !== "browsers/rate-limit");
  it.each(waiting)("makes the check of $id wait and retry", async (testCase) => {
    const { id, rule } = testCase;
    const result = await runCase(testCase, { api, fetch: limited, hooks, patienceMs });
    expect(result).toEqual({ id, rule, status: "passed" });
  });
});

describe("a server whose hooks describe only a few questions", () => {
  async function notChecked(hooks: ConformanceHooks): Promise<string[]> {
    // A server for each run, because two runs exceed the sixty writes a minute of one server.
    const server = createMockServer(contractAgent);
    onTestFinished(() => server.close());
    const ids: string[] = [];
    for (const testCase of conformanceCases) {
      const result = await runCase(testCase, { api, fetch: server.fetch, hooks, patienceMs });
      if (result.status === "not-checked") ids.push(result.id);
      else expect(result).toMatchObject({ status: "passed" });
    }
    return ids;
  }
  const { people, form, connect, keepAliveMs } = contractHooks;
  const needsMore = [
    "capability/expiry-differs",
    "capability/not-asked-again",
    "delegate/accepted",
    "delegate/refused",
    "review/shown",
    "review/edited",
    "review/not-approved",
    "review/allowed",
    "review/allowed-here",
    "background/works-on",
    "background/declined",
    "streams/two",
    "answers/expired",
    "fast-path/several",
    "outside/look-ups",
    "outside/completed",
    "outside/accept-after",
    "outside/failed",
    "outside/consent",
    "outside/consent-cancelled",
    "outside/consent-completed",
    "status/list",
    "ownership/binding",
    ...conformanceCases.map(({ id }) => id).filter((id) => /^(completions|browsers|assign)\//.test(id)),
  ];

  it("is checked with only a form for rules that do not need a page", async () => {
    const needsPage = [
      "basic/url",
      "requests/url",
      "capability/body-url",
      "capability/body-not-url",
      "outside/not-yet",
    ];
    const ids = await notChecked({ people, form, keepAliveMs });
    expect(ids.toSorted()).toEqual([...needsMore, ...needsPage].toSorted());
  });

  it("is checked with only a page for rules that do not need a form", async () => {
    const needsForm = [
      "basic/form",
      "basic/accept",
      "requests/form",
      "requests/resolution-without-content",
      "capability/body-form",
      "capability/body-not-form",
      "streams/goes-on",
      "answers/accept",
      "answers/same-content-again",
      "answers/other-content",
      "answers/race-different",
      "answers/misfit",
      "fast-path/one",
      "status/without-content",
      ...conformanceCases.map(({ id }) => id).filter((id) => /^(proposals|remember)\//.test(id)),
    ];
    const ids = await notChecked({ people, connect, keepAliveMs });
    expect(ids.toSorted()).toEqual([...needsMore, ...needsForm].toSorted());
  });
});

describe("a server with connection errors", () => {
  const server = startServer();
  const testCase = conformanceCases.find(({ id }) => id === "answers/decline")!;
  const { people, connect } = contractHooks;
  const checked = (broken: typeof fetch) =>
    runCase(testCase, { api, fetch: broken, hooks: { people, connect } });

  it("is reported with the method, the path and the reason if it cannot be reached", async () => {
    const refused = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    expect(await checked(() => Promise.reject(refused))).toMatchObject({
      status: "failed",
      detail: "POST /chat got no whole reply: fetch failed (connect ECONNREFUSED)",
    });
  });

  it("is reported with the method and the path if a reply breaks off", async () => {
    const result = await checked(async (input, init) => {
      const request = new Request(input, init);
      const response = await server.fetch(request);
      if (!isTo(request, "/elicitation-responses")) return response;
      const body = new ReadableStream({
        start: (controller) => controller.error(new TypeError("terminated")),
      });
      return new Response(body, response);
    });
    expect(result).toMatchObject({
      status: "failed",
      detail: "POST /elicitation-responses got no whole reply: terminated",
    });
  });

  it("is reported with the HTTP request whose reply has the wrong status", async () => {
    const result = await checked(async (input, init) => {
      const request = new Request(input, init);
      const isAnswer = isTo(request, "/elicitation-responses");
      return isAnswer ? new Response("No.", { status: 500 }) : server.fetch(request);
    });
    expect(result).toMatchObject({ detail: "POST /elicitation-responses: expected 200, got 500 No." });
  });
});
