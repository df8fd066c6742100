import { expect, test } from "vitest";
import { readChallenge, scopesOf } from "./challenge.ts";

const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource";

test.each([
  ["a header without parameters", "Bearer", { scopes: [] }],
  [
    "the URL of the metadata",
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
  ...["<script>", "<b>denied", "denied<b>", "x".repeat(41)].map(
    (error): [string, string, { scopes: string[] }] => [
      `an error that is not a code (${error})`,
      `Bearer error="${error}"`,
      { scopes: [] },
    ],
  ),
  ["the first of two challenges", 'Bearer scope="a", Bearer scope="b"', { scopes: ["a"] }],
  [
    "the one of two challenges that names metadata",
    `Bearer scope="a", Bearer scope="b, c", resource_metadata="${METADATA}"`,
    { scopes: ["b", "c"], resourceMetadata: METADATA },
  ],
  [
    "a metadata URL that is too long",
    `Bearer resource_metadata="https://a/${"x".repeat(2000)}"`,
    { scopes: [] },
  ],
])("readChallenge reads %s", async (_, header, challenge) => {
  expect(await readChallenge(header)).toEqual(challenge);
});

test.each([
  ["no header", null],
  ["another scheme", 'Basic realm="x"'],
  ["a malformed challenge", '="Bearer"'],
  ["a header that is too long", `Bearer scope="${"a ".repeat(5000)}"`],
])("readChallenge finds no challenge in %s", async (_, header) => {
  expect(await readChallenge(header)).toBeUndefined();
});

test("invalid and repeated scopes are removed", () => {
  expect(scopesOf('a a b"c d\\e é')).toEqual(["a"]);
  expect(scopesOf(["a", 1, "b c", "x".repeat(201), "b"])).toEqual(["a", "b"]);
  expect(scopesOf({})).toEqual([]);
  expect(scopesOf(Array.from({ length: 200 }, (_, index) => `s${index}`))).toHaveLength(50);
});

test("a metadata URL with characters that URLs cannot have is ignored", async () => {
  const challenge = (url: string) => readChallenge(`Bearer resource_metadata="${url}"`);
  expect(await challenge("https://mcp.example.com/a\u00a0b")).toEqual({ scopes: [] });
  expect(await challenge("https://mcp.example.com/a b")).toEqual({ scopes: [] });
});
