import { render } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { Chat } from "../guide/chat.tsx";
import { server, startMocks, worker } from "../guide/mocks.ts";

it("the chat of the guide continues in the same turn after the popup, through a service worker", async () => {
  await startMocks();
  const open = vi.spyOn(window, "open");
  onTestFinished(async () => {
    open.mockRestore();
    await worker.stop();
    await server.close();
  });
  render(<Chat />);
  await userEvent.type(page.getByRole("textbox"), "Create an issue{Enter}");
  await userEvent.click(page.getByRole("button", { name: "Connect" }));
  const popup = open.mock.results[0]?.value as Window;
  const connect = () => popup.document.querySelector<HTMLButtonElement>("[data-action=connect]");
  await expect.poll(() => popup.document.readyState === "complete" && connect()).toBeTruthy();
  connect()?.click();
  await expect.element(page.getByText("Done: TRK-42.")).toBeVisible();
  await expect.poll(() => popup.closed).toBe(true);
});
