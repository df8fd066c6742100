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
])("the registrable domain of %s is %s", (host, domain) => {
  expect(getRegistrableDomain(host)).toBe(domain);
});

it("the registrable domain of a URL is emphasised, or the whole host if it has none", () => {
  const { parts } = inspectUrl("https://paypal.com.evil.co.uk/a", { getRegistrableDomain });
  expect(parts).toMatchObject({ subdomain: "paypal.com.", registrable: "evil.co.uk" });
  expect(inspectUrl("https://127.0.0.1/", { getRegistrableDomain }).parts.registrable).toBe("127.0.0.1");
  expect(inspectUrl("https://localhost/", { getRegistrableDomain }).parts.registrable).toBe("localhost");
});
