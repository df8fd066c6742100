import { HttpAgent } from "@ag-ui/client";
import { serve as listen } from "elicit-kit/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { CITY, CONNECT, asking, text } from "../../stages/test-runtime.ts";
import { open, serve } from "./thread.ts";

const URL_OF_AGENT = "https://agent.example.com/agent";

describe("a run without a user", () => {
  test("is refused with 401, and the page gets the status", async () => {
    let turns = 0;
    const served = serve(async function* run() {
      turns += 1;
      yield* text("Hello.");
    });
    const agent = new HttpAgent({ url: URL_OF_AGENT, threadId: "thread-1", fetch: served.fetch });
    await expect(agent.runAgent()).rejects.toMatchObject({ status: 401 });
    expect(turns).toBe(0);
    expect(served.errors).toEqual([]);
  });

  test("is refused before its body is read", async () => {
    const { endpoint } = serve(asking(CITY));
    let isRead = false;
    const body = new ReadableStream(
      {
        pull() {
          isRead = true;
        },
      },
      { highWaterMark: 0 },
    );
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    };
    const response = await endpoint(new Request(URL_OF_AGENT, init));
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(isRead).toBe(false);
  });
});

describe("when an internal error occurs", () => {
  const secret = "postgres://ada:hunter2@db";

  test.each([
    ["rejects", () => Promise.reject(new Error(secret))],
    ["returns a user without an id", () => ({ id: "" })],
  ])("an authenticate that %s causes a 500, and the error is logged", async (_, authenticate) => {
    const served = serve(asking(CITY), {}, { authenticate });
    const page = open(served);
    await expect(page.say("Book")).rejects.toMatchObject({ status: 500 });
    expect(served.errors).toHaveLength(1);
    expect(String(served.errors[0])).toMatch(/elicit-kit:/);
    expect(String(served.errors[0])).not.toContain(secret);
  });

  test("a turn that cannot start causes a 500, and neither the page nor the log contains the text of the error", async () => {
    const served = serve(asking(CITY));
    const failing = serve(
      asking(CITY),
      {},
      {
        runtime: {
          elicitations: served.runtime.elicitations,
          surface: (kind) => ({
            ...served.runtime.surface(kind),
            find: () => Promise.reject(new Error(secret)),
          }),
        },
      },
    );
    const response = await failing.fetch(URL_OF_AGENT, initOfRun());
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain(secret);
    expect(failing.errors).toHaveLength(1);
    expect(String(failing.errors[0])).not.toContain(secret);
  });

  test("a log that cannot be read ends the run with RUN_ERROR, and the operator's log does not contain its text", async () => {
    const served = serve(asking(CITY));
    const surface = served.runtime.surface("ag-ui");
    const failing = serve(
      asking(CITY),
      {},
      {
        runtime: {
          elicitations: served.runtime.elicitations,
          surface: () => ({
            ...surface,
            async start(input) {
              const turn = await surface.start(input);
              if ("refused" in turn) return turn;
              const read = () => {
                throw new Error(secret);
              };
              return { ...turn, read };
            },
          }),
        },
      },
    );
    const response = await failing.fetch(URL_OF_AGENT, initOfRun());
    const wire = await response.text();
    expect(wire).toContain("RUN_ERROR");
    expect(wire).not.toContain(secret);
    expect(failing.errors).toHaveLength(1);
    expect(String(failing.errors[0])).not.toContain(secret);
  });
});

test("a mode that is excluded by `supports` is not asked, and the other mode is", async () => {
  const page = open(serve(asking(CITY), {}, { supports: { url: false } }));
  await page.say("Book");
  expect(page.statuses()).toEqual(["pending"]);
  const other = open(serve(asking(CONNECT), {}, { supports: { url: false } }));
  await other.say("Connect");
  expect(other.texts()).toEqual([expect.stringContaining("unsupported")]);
});

describe("a request that clients cannot show becomes a confirmation with a link", () => {
  const hostedPage = { origin: "https://auth.example.com" };
  const finished = (page: ReturnType<typeof open>) => page.agent.runAgent({ resume: confirmed(page) });
  const confirmed = ({ agent }: ReturnType<typeof open>) =>
    agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "resolved" as const }));

  test("to the page of a URL request, and the turn waits until the user has finished there", async () => {
    const served = serve(asking(CONNECT), { hostedPage }, { supports: { url: false } });
    const page = open(served);
    await page.say("Connect");
    const [record] = await served.runtime.elicitations.listOpen("thread-1", "ada");
    const { elicitationId } = record!.request;
    const link = `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`;
    const asked = [{ reason: "confirmation", message: `${CONNECT.message}\n\n${link}` }];
    expect(page.agent.pendingInterrupts).toMatchObject(asked);
    await finished(page);
    expect(page.agent.pendingInterrupts).toMatchObject(asked);
    await served.runtime.elicitations.complete(elicitationId);
    await finished(page);
    expect(page.texts()).toEqual([expect.stringContaining("accepted")]);
  });

  test("to the answer page of a form, and a confirmation that comes too early is asked for again as often as needed", async () => {
    const served = serve(asking(CITY), { hostedPage }, { supports: { form: false } });
    const page = open(served);
    await page.say("Book");
    const [record] = await served.runtime.elicitations.listOpen("thread-1", "ada");
    const { elicitationId } = record!.request;
    const link = `https://auth.example.com/auth/answer?elicitationId=${elicitationId}`;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect(page.agent.pendingInterrupts).toMatchObject([{ message: `${CITY.message}\n\n${link}` }]);
      expect(page.agent.pendingInterrupts[0]).not.toHaveProperty("responseSchema");
      await finished(page);
    }
    const answer = {
      elicitationId,
      conversationId: "thread-1",
      action: "accept",
      content: { city: "Rome" },
    } as const;
    await served.runtime.elicitations.answer(answer, "ada");
    await finished(page);
    expect(page.texts()).toEqual([expect.stringContaining("Rome")]);
  });

  test.each(["decline", "cancel"] as const)("with which the tool also gets a %s", async (action) => {
    const page = open(serve(asking(CITY), { hostedPage }, { supports: { form: false } }));
    await page.say("Book");
    await page.client[action]((await page.item()).id);
    await expect.poll(page.texts).toEqual([expect.stringContaining(action)]);
  });
});

describe("a page of another origin", () => {
  const APP = "https://app.example.com";

  test("that is allowed gets the run, and can read when to retry", async () => {
    const served = serve(asking(CITY), { limits: { writesPerMinute: 1 } }, { allowedOrigins: [APP] });
    const first = await served.fetch(URL_OF_AGENT, initOfRun({ origin: APP }));
    expect(first.headers.get("access-control-allow-origin")).toBe(APP);
    expect(await first.text()).toContain("RUN_FINISHED");
    const init = {
      ...initOfRun({ origin: APP }),
      body: JSON.stringify({ threadId: "t2", runId: "r2", messages: [] }),
    };
    const second = await served.fetch(URL_OF_AGENT, init);
    expect(second.status).toBe(429);
    expect(second.headers.get("access-control-expose-headers")).toContain("retry-after");
  });

  test("that is allowed can send JSON and a token, according to its preflight", async () => {
    const { endpoint } = serve(asking(CITY), {}, { allowedOrigins: (origin) => origin === APP });
    const preflight = await endpoint(
      new Request(URL_OF_AGENT, {
        method: "OPTIONS",
        headers: { origin: APP, "access-control-request-method": "POST" },
      }),
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization, content-type");
  });

  test("that is not allowed gets 403 before authentication", async () => {
    let asked = 0;
    const authenticate = () => {
      asked += 1;
      return { id: "ada" };
    };
    const served = serve(asking(CITY), {}, { authenticate });
    const response = await served.fetch(URL_OF_AGENT, initOfRun({ origin: APP }));
    expect([response.status, asked]).toEqual([403, 0]);
  });

  test("must be written without a path, or creating the endpoint fails", () => {
    expect(() => serve(asking(CITY), {}, { allowedOrigins: [`${APP}/`] })).toThrow(
      "allowedOrigins must contain origins without a path",
    );
  });
});

test("`fetch` of the endpoint can be used as a separate function", async () => {
  const { endpoint } = serve(asking(CITY));
  const { url, close } = await listen({ fetch: endpoint });
  onTestFinished(close);
  const agent = new HttpAgent({ url, threadId: "thread-1", headers: { authorization: "Bearer ada" } });
  await agent.runAgent();
  expect(agent.pendingInterrupts).toMatchObject([{ message: CITY.message }]);
});

function initOfRun(headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer ada", ...headers },
    body: JSON.stringify({
      threadId: "thread-1",
      runId: crypto.randomUUID(),
      messages: [{ id: "u1", role: "user", content: "Go" }],
    }),
  };
}
