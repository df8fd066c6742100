import { expect, test } from "vitest";
import { readChallenge, scopesOf } from "./challenge.ts";

const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource";

test.each([
  ["nothing more", "Bearer", { scopes: [] }],
  [
    "a place of metadata",
    `Bearer resource_metadata="${METADATA}"`,
    { resourceMetadata: METADATA, scopes: [] },
  ],
  [
    "the scopes that are missing",
    'Bearer error="insufficient_scope", scope="issues:read issues:write"',
    { error: "insufficient_scope", scopes: ["issues:read", "issues:write"] },
  ],
  ["a challenge of another scheme before it", 'Basic realm="x", Bearer scope="a"', { scopes: ["a"] }],
  ["a challenge in lower case", 'bearer scope="a"', { scopes: ["a"] }],
  [
    "a realm that looks like a parameter",
    'Bearer realm="a, resource_metadata=https://evil.example/x"',
    { scopes: [] },
  ],
  ["an error that is no code", 'Bearer error="<script>"', { scopes: [] }],
  ["a place longer than any URL", `Bearer resource_metadata="https://a/${"x".repeat(2000)}"`, { scopes: [] }],
])("reads %s", async (_, header, challenge) => {
  expect(await readChallenge(header)).toEqual(challenge);
});

test.each([
  ["no header", null],
  ["another scheme", 'Basic realm="x"'],
  ["what is no challenge", '="Bearer"'],
  ["a header without an end", `Bearer scope="${"a ".repeat(5000)}"`],
])("finds no challenge in %s", async (_, header) => {
  expect(await readChallenge(header)).toBeUndefined();
});

test("scopes that no request could carry are left out, and others are kept once", () => {
  expect(scopesOf('a a b"c d\\e é')).toEqual(["a"]);
  expect(scopesOf(["a", 1, "b c", "x".repeat(201), "b"])).toEqual(["a", "b"]);
  expect(scopesOf({})).toEqual([]);
  expect(scopesOf(Array.from({ length: 200 }, (_, index) => `s${index}`))).toHaveLength(50);
});
