// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ar } from "elicit-kit/catalogues/ar";
import { de } from "elicit-kit/catalogues/de";
import { createMockServer, scenarios } from "elicit-kit/mock-server";
import { expect, it, onTestFinished } from "vitest";
import { CardLanguage } from "../../docs/examples/card-language.tsx";
import { Chat } from "./chat.tsx";

it("the cards follow the language of the app, also while one is open, and are mirrored in Arabic", async () => {
  const server = createMockServer(scenarios.connect);
  onTestFinished(async () => {
    cleanup();
    await server.close();
  });
  const app = (language: string) => (
    <CardLanguage language={language}>
      <Chat fetch={server.fetch} />
    </CardLanguage>
  );
  const { rerender } = render(app("de-AT"));
  await userEvent.type(screen.getByRole("textbox"), "Create an issue{Enter}");
  await screen.findByRole("button", { name: de.decline });
  rerender(app("ar"));
  const decline = await screen.findByRole("button", { name: ar.decline });
  expect(decline.closest("[dir]")?.getAttribute("dir")).toBe("rtl");
  rerender(app("xx"));
  expect(await screen.findByRole("button", { name: "Decline" })).toBeDefined();
});
