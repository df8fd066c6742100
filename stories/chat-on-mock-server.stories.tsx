import { createMockServer, scenarios } from "elicit-kit/mock-server";
import preview from "../.storybook/preview.tsx";
import { Chat } from "../test/guide/chat.tsx";

const server = createMockServer({
  ...scenarios.connect,
  connectPage: "/connect.html",
  // A built Storybook is a production build, and the mock server refuses to start in one by default.
  allowInProduction: true,
});

const meta = preview.meta({
  title: "Journeys/Chat on the mock server",
  component: Chat,
  // The code of a guide, without any look. The Playground shows the same.
  tags: ["!dev"],
});

export const Connected = meta.story({
  args: { fetch: server.fetch },
  async play({ canvas, userEvent }) {
    await userEvent.type(canvas.getByRole("textbox"), "Create an issue{Enter}");
    await canvas.findByRole("button", { name: "Connect" });
    await server.completeOutside();
    await canvas.findByText("Done: TRK-42.");
  },
});
