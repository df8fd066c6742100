import { expect, onTestFinished, test } from "vitest";
import { chosenLanguage, chosenTheme, rememberLanguage, rememberTheme } from "./settings.ts";

test("a page whose browser forbids storage has the settings of the browser, and keeps none", () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  onTestFinished(
    () =>
      void (before
        ? Object.defineProperty(globalThis, "localStorage", before)
        : Reflect.deleteProperty(globalThis, "localStorage")),
  );
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    },
  });
  rememberTheme("dark");
  rememberLanguage("ar");
  expect([chosenTheme(), chosenLanguage()]).toEqual(["system", "en"]);
});
