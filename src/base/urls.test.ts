import { expect, test } from "vitest";
import { endpointUrl } from "./urls.ts";

test("the URL of an endpoint may be any address that clients can call", () => {
  for (const url of [
    "https://agent.example.com",
    "http://127.0.0.1:4100/run/v1/mcp",
    "https://a.example/b/",
  ]) {
    expect(endpointUrl(url).href).toBe(new URL(url).href);
  }
});

test("for an address that no client could call, the error says what is wrong with it", () => {
  const wrong = [
    "/run/v1/mcp",
    "agent.example.com",
    "",
    "ftp://a.example/",
    "https://a.example/mcp?x=1",
    "https://a.example/#x",
  ];
  for (const url of wrong) expect(() => endpointUrl(url)).toThrow(`It is: ${url}`);
  // For callers in plain JavaScript.
  expect(() => endpointUrl(undefined as unknown as string)).toThrow("elicit-kit: url must be");
});

test("an error about an address contains no password", () => {
  for (const url of ["https://ada:hunter2@a.example/", "https://ada:hunter2@a b/"]) {
    expect(() => endpointUrl(url)).toThrow(/It is: …@a/);
    expect(() => endpointUrl(url)).not.toThrow(/hunter2/);
  }
});
