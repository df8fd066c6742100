// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMockServer, scenarios } from "elicit-kit/mock-server";
import { expect, it } from "vitest";
import { Chat } from "./chat.tsx";

it("the agent creates the issue once the account is connected", async () => {
  const server = createMockServer(scenarios.connect);
  render(<Chat fetch={server.fetch} />);
  await userEvent.type(screen.getByRole("textbox"), "Create an issue{Enter}");
  await screen.findByRole("button", { name: "Connect" });
  await server.completeOutside();
  expect(await screen.findByText("Done: TRK-42.")).toBeDefined();
});
