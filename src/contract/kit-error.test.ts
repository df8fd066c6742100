import { expect, it } from "vitest";
import { KitError, isKitError } from "elicit-kit/contract";
import { createRuntime } from "elicit-kit/runtime";

it("isKitError tells an error of the kit from an error with the same prefix", () => {
  const wrong = () =>
    createRuntime({
      authenticate: () => undefined,
      allowedOrigins: ["https://app.example.com/path"],
      async *runTurn() {},
      onError() {},
    });
  expect(wrong).toThrow(KitError);
  expect(wrong).toThrow(expect.toSatisfy(isKitError));
  expect(isKitError(new Error("elicit-kit: as a server has said"))).toBe(false);
  expect(isKitError("elicit-kit: not even an error")).toBe(false);
});

it("isKitError recognises an error of another copy of the kit, which a bundler may load", async () => {
  const again = "./kit-error.ts?again";
  const copy = (await import(/* @vite-ignore */ again)) as { KitError: typeof KitError };
  expect(copy.KitError).not.toBe(KitError);
  expect(isKitError(new copy.KitError("elicit-kit: elsewhere"))).toBe(true);
});
