import { expect, it } from "vitest";
import { inspectUrl } from "../contract/inspect-url.ts";
import { getRegistrableDomain } from "./registrable-domain.ts";

it.each([
  ["login.example.co.uk", "example.co.uk"],
  ["example.com", "example.com"],
  ["me.github.io", "me.github.io"],
  ["a.me.github.io", "me.github.io"],
  ["login.xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["co.uk", undefined],
  ["localhost", undefined],
  ["127.0.0.1", undefined],
  ["[::1]", undefined],
])("finds the owner of %s: %s", (host, domain) => {
  expect(getRegistrableDomain(host)).toBe(domain);
});

it("emphasises the owner in a URL, and the whole host if it has no registrable domain", () => {
  const { parts } = inspectUrl("https://paypal.com.evil.co.uk/a", { getRegistrableDomain });
  expect(parts).toMatchObject({ subdomain: "paypal.com.", registrable: "evil.co.uk" });
  expect(inspectUrl("https://127.0.0.1/", { getRegistrableDomain }).parts.registrable).toBe("127.0.0.1");
  expect(inspectUrl("https://localhost/", { getRegistrableDomain }).parts.registrable).toBe("localhost");
});
