import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConformanceRule, runCase } from "./case.ts";
import { visibleText } from "./reply.ts";

const target = { api: "http://127.0.0.1:1" };

function breakingWith(failure: Error) {
  const run = async () => {
    throw failure;
  };
  return runCase({ id: "x/y", rule: "Nothing.", run }, target);
}

test("text from a server is printed without control characters for a terminal", async () => {
  const said =
    "\u001b[2Jok\r\u202edessap\u2066\n passed\u0007\u009b1m\u200b\u061c\ufeff\u{e0041}\u2028\u3164";
  const detail = String.raw`\u{1b}[2Jok\u{d}\u{202e}dessap\u{2066}\u{a} passed\u{7}\u{9b}1m\u{200b}\u{61c}\u{feff}\u{e0041}\u{2028}\u{3164}`;
  expect(await breakingWith(new Error(said))).toMatchObject({
    detail: `the check broke off: Error: ${detail}`,
  });
  const cause = new Error(said);
  expect(await breakingWith(new TypeError("fetch failed", { cause }))).toMatchObject({
    detail: `the check broke off: TypeError: fetch failed (${detail})`,
  });
});

test("a long reply of a server is shortened on the screen", async () => {
  const result = await breakingWith(new Error("a".repeat(100_000)));
  expect(JSON.stringify(result).length).toBeLessThan(2_500);
});

/** The result of checking a server that handles every request with `respond`. */
function checkedWith(respond: () => Response, run: ConformanceRule["run"]) {
  return runCase(
    { id: "x/y", rule: "Nothing.", run },
    { ...target, fetch: async () => respond(), patienceMs: 60_000 },
  );
}

const look: ConformanceRule["run"] = async (context) => {
  await context.person().get("/elicitations/e1");
};

test("an endless reply is read up to 16 MiB", async () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(0x20);
  const endless = (type: string) => () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(mebibyte) });
    return new Response(body, { headers: { "content-type": type } });
  };
  expect(await checkedWith(endless("application/json"), look)).toMatchObject({
    status: "failed",
    detail: "GET /elicitations/e1 got no whole reply: it is longer than 16 MiB",
  });
  const reading: ConformanceRule["run"] = async (context) => {
    await (await context.person().sendMessage("Hello")).stream.ended();
  };
  expect(await checkedWith(endless("text/event-stream"), reading)).toMatchObject({
    status: "failed",
    detail: expect.stringContaining("it is longer than 16 MiB"),
  });
});

test("a server that always replies with 429 is asked ten times", async () => {
  let asked = 0;
  const limit = () => {
    asked += 1;
    return new Response("{}", { status: 429, headers: { "retry-after": "0" } });
  };
  expect(await checkedWith(limit, look)).toMatchObject({ status: "passed" });
  expect(asked).toBe(10);
});

test("normal text is printed unchanged", () => {
  const text = "Größe: 5 µm, “quoted”, 日本語, עברית, a\u0301 😀 — \\ \u00a0 |";
  expect(visibleText(text)).toBe(text);
});

test("visibleText removes all invisible characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visibleText(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }),
  );
});

test("a redirect is not followed, because the HTTP request has the headers of a user", async () => {
  const reached: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    reached.push(`${new Request(input, init).url} ${init?.redirect}`);
    return new Response(null, { status: 307, headers: { location: "https://other.example/secret" } });
  };
  const result = await runCase({ id: "x/y", rule: "Nothing.", run: look }, { ...target, fetch });
  expect(reached).toEqual(["http://127.0.0.1:1/elicitations/e1 manual"]);
  expect(result).toMatchObject({
    status: "failed",
    detail: "GET /elicitations/e1 redirects to https://other.example, and no redirect is followed",
  });
});
