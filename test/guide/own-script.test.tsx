// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { askForm, call, createMockServer, faults, say } from "elicit-kit/mock-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Chat } from "./chat.tsx";

const script = [
  say("Let me check…"),
  call("hotels.search", { stars: 3 }, { hotel: "Casa do Mar" }),
  askForm({
    message: "Where would you like to stay?",
    properties: { city: { type: "string", title: "City", minLength: 2 } },
    required: ["city"],
  }),
  say((r) => (r.outcome === "accepted" ? "Casa do Mar has a room." : "Never mind.")),
];

let server: ReturnType<typeof createMockServer>;
beforeEach(async () => {
  server = createMockServer({ script });
  render(<Chat fetch={server.fetch} />);
  await userEvent.type(screen.getByRole("textbox"), "Find me a hotel{Enter}");
});
afterEach(async () => {
  cleanup();
  await server.close();
});

it("the agent gets the user's input", async () => {
  await userEvent.type(await screen.findByLabelText(/City/), "Lisbon");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  await screen.findByText("Casa do Mar has a room.");
  expect(server.received()).toMatchObject([{ action: "accept", content: { city: "Lisbon" } }]);
});

it("the card keeps the answer when the server fails, and sends it again", async () => {
  server.inject(faults.failReply({ status: 503 }));
  await userEvent.type(await screen.findByLabelText(/City/), "Lisbon");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("Casa do Mar has a room.", {}, { timeout: 20_000 })).toBeDefined();
});

it("the card shows that the request was answered in another window", async () => {
  server.inject(faults.answeredElsewhere("declined"));
  await userEvent.type(await screen.findByLabelText(/City/), "Lisbon");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("Never mind.")).toBeDefined();
});

it("the card shows that the request has expired", async () => {
  await screen.findByLabelText(/City/);
  await server.advance(10 * 60_000);
  expect(await screen.findByText("Never mind.")).toBeDefined();
});
