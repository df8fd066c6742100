import { expect, test } from "vitest";
import { unsealed } from "./sealed-file.ts";

test("a file in format 1 can be read", async () => {
  const file = Buffer.from(
    "ZWxpY2l0LWtpdCBjcmVkZW50aWFscyAxCtxB6C3T2RBYpuRHnm3UArjtMbgpa2oF0SknIm4vqseLSSTmR3ITaSZv4NKlee53u5Q05fDrirNV/ORXZc6oe+gRqtitcw==",
    "base64",
  );
  const contents = await unsealed(file, new Uint8Array(32).fill(8), "credentials");
  expect(contents).toEqual({ revision: 3, entries: new Map([["k", { accessToken: "t0ken" }]]) });
});
