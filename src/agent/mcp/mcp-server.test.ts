import { expect, test } from "vitest";
import { concealer } from "../credentials/conceal.ts";
import { secretsOf } from "./mcp-server.ts";

test.each([
  ["GIT_AUTHOR_NAME", "Ada Lovelace"],
  ["GIT_AUTHOR_EMAIL", "ada@example.com"],
  ["OIDC_AUTHORITY", "https://login.example.com"],
  ["AUTH_TYPE", "service_account"],
  ["x-auth-mode", "delegated"],
])("a result shows the value of %s", (name, value) => {
  const conceal = concealer(secretsOf({ [name]: value }));
  expect(conceal(`It says ${value}.`)).toBe(`It says ${value}.`);
});

test.each(["Authorization", "PROXY_AUTHORISATION", "AUTH", "X_AUTH_TOKEN", "API_KEY", "DB_PASSWORD"])(
  "a result does not show the value of %s",
  (name) => {
    const conceal = concealer(secretsOf({ [name]: "hunter2-hunter2" }));
    expect(conceal("It says hunter2-hunter2.")).toBe("It says [credential].");
  },
);
