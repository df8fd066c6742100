import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { KitError } from "../contract/kit-error.ts";
import { ForeignError, loggable, originalOf, reasonOf, safeLog } from "./foreign-error.ts";

const SECRET = "hunter2-xyz";
const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

/** Everything that a logger could read: the printed form, all own properties, and JSON. */
function logged(error: unknown): string {
  const seen: unknown[] = [];
  safeLog((one) => seen.push(one))(error);
  const own = (one: unknown): unknown =>
    one instanceof Error
      ? [Object.getOwnPropertyDescriptors(one), { ...one }, one.name, one.message, one.stack, own(one.cause)]
      : one;
  return [
    inspect(seen, { depth: 20, showHidden: true, getters: true }),
    inspect(own(seen[0]), { depth: 20 }),
    JSON.stringify(seen),
    String(seen),
  ].join("\n");
}

class Odd extends Error {
  override name = "OddError";
}

test.each<[string, () => unknown]>([
  ["its words", () => new Error(`cannot read ${SECRET}`)],
  ["its properties", () => Object.assign(new Error("no"), { input: SECRET, config: { key: SECRET } })],
  ["its name", () => Object.assign(new Error("no"), { name: `Error of ${SECRET}` })],
  ["its code", () => Object.assign(new Error("no"), { code: SECRET, status: SECRET })],
  ["its cause", () => new Error("no", { cause: Object.assign(new Odd(SECRET), { url: SECRET }) })],
  ["the cause of its cause", () => new Error("no", { cause: new Error("no", { cause: new Error(SECRET) }) })],
  ["the cause of an error of the kit", () => new KitError("elicit-kit: no.", { cause: new Error(SECRET) })],
  ["a cause that is no error", () => new KitError("elicit-kit: no.", { cause: { token: SECRET } })],
  ["words that begin like those of the kit", () => new Error(`elicit-kit: ${SECRET}`)],
  ["words of a library that begin like those of the kit", () => new Odd(`elicit-kit: ${SECRET}`)],
  [
    "such words in a cause",
    () => new KitError("elicit-kit: no.", { cause: new Odd(`elicit-kit: ${SECRET}`) }),
  ],
  ["what it gathers", () => new AggregateError([new Error(SECRET), SECRET], "no")],
  ["words that look like a place in the code", () => new Error(`no\n    at ${SECRET} (/x.js:1:1)`)],
  [
    "words that were replaced after it was made",
    () => Object.assign(new Error(`no\n    at ${SECRET} (/x.js:1:1)`), { message: "" }),
  ],
  ["a URL that is none", () => catchOf(() => new URL(`/${SECRET}`))],
  ["JSON that is none", () => catchOf(() => JSON.parse(SECRET))],
  ["a thrown text", () => SECRET],
  ["a thrown object", () => ({ message: SECRET })],
])("a secret in %s is not logged", (_, make) => {
  expect(logged(make())).not.toContain(SECRET);
});

test("the logged error does not contain the text of the original error", () => {
  const text = fc.string({ minLength: 6, unit: "grapheme" }).map((part) => `${part}${SECRET}`);
  const json = fc.jsonValue();
  fc.assert(
    fc.property(text, text, json, (message, more, value) => {
      const cause = Object.assign(new TypeError(more), { value, more });
      const error = Object.assign(new Error(message, { cause }), { data: value, responseBody: more });
      expect(logged(error)).not.toContain(SECRET);
    }),
    RUNS,
  );
});

describe("a logged error", () => {
  test("has the kind, the code and the place, so that the operator can find the cause", () => {
    const error = Object.assign(new Odd(SECRET), { code: "42P01" });
    const { message, stack } = new ForeignError(error);
    expect(message).toBe(
      "elicit-kit: OddError (42P01). Its message is left out because it may contain user input or secrets. originalOf() of elicit-kit/runtime returns the original error.",
    );
    expect(stack).toMatch(/^ForeignError: elicit-kit: OddError .*\n {4}at .*foreign-error\.test\.ts/);
  });

  test.each<[unknown, string]>([
    [
      new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }),
      "elicit-kit: TypeError (ECONNREFUSED): fetch failed",
    ],
    [
      Object.assign(new Error("x"), { statusCode: 503, code: -32_000 }),
      "elicit-kit: Error (status 503, -32000). Its",
    ],
    [catchOf(() => Reflect.get(Object(undefined).list, "id")), "elicit-kit: TypeError"],
    [new TypeError("tools.find is not a function"), "elicit-kit: TypeError: tools.find is not a function"],
    [
      new TypeError("Cannot read properties of undefined (reading 'token')"),
      "elicit-kit: TypeError: Cannot read properties of undefined (reading 'token')",
    ],
    ["text", "elicit-kit: a value was thrown that is not an Error (string)"],
  ])("%s", (error, words) => {
    expect(new ForeignError(error).message).toContain(words);
  });

  test("is the kit's own error, if that has no additional properties", () => {
    const error = new KitError("elicit-kit: the key is missing.");
    expect(loggable(error)).toBe(error);
  });

  test("is never wrapped twice, and originalOf returns the original error", () => {
    const thrown = new Error(SECRET);
    const once = loggable(thrown);
    expect(loggable(once)).toBe(once);
    expect(once).toMatchObject({ name: "ForeignError" });
    expect(originalOf(once)).toBe(thrown);
    expect(originalOf(thrown)).toBe(thrown);
  });

  test("is finite, even if an error is its own cause", () => {
    const error = new Error(SECRET);
    error.cause = error;
    expect(logged(error)).not.toContain(SECRET);
  });
});

describe("a failing log", () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each<[string, (error: unknown) => void]>([
    [
      "throws",
      () => {
        throw new Error(SECRET);
      },
    ],
    ["rejects", () => Promise.reject(new Error(SECRET))],
  ])(
    "that %s does not stop the caller, and the console reports it without its message",
    async (_, onError) => {
      const printed = vi.spyOn(console, "error").mockImplementation(() => {});
      safeLog(onError)(new Error("no"));
      await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(1));
      expect(printed.mock.calls[0]?.[0]).toMatch(/^elicit-kit: onError has failed/);
      expect(inspect(printed.mock.calls, { depth: 20, showHidden: true })).not.toContain(SECRET);
    },
  );

  test("does not stop the caller if the console fails, too", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {
      throw new Error("no console");
    });
    safeLog(() => {
      throw new Error("no");
    })(new Error("no"));
    await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(1));
  });

  test("does not stop the caller if the error cannot be read", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const unreadable = Object.defineProperty(new Error("no"), "name", {
      get: () => {
        throw new Error("no name");
      },
    });
    safeLog(() => {})(unreadable);
    await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(1));
  });
});

test("the reason for a failure is the message of the kit or of JavaScript, or else only the name of the error", () => {
  expect(reasonOf(new KitError("elicit-kit: it does not support PKCE."))).toBe("it does not support PKCE.");
  expect(reasonOf(new TypeError("fetch failed"))).toBe("TypeError: fetch failed");
  expect(reasonOf(Object.assign(new Odd(SECRET), { code: "ENOTFOUND" }))).toBe("OddError (ENOTFOUND)");
});

function catchOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
