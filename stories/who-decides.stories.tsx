import { useElicitationList } from "elicit-kit";
import { useState } from "react";
import { expect } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { CONVERSATION, createScript } from "../src/client/testing/scripted-client.ts";
import { formRequest } from "../src/contract/testing/requests.ts";
import { WhoDecides } from "./examples/who-decides.tsx";

/** Runs the code of `docs/ask/somebody-else.md`. */
const meta = preview.meta({ title: "Guides/Examples/Somebody else decides" });

/** A form of the user's own agent, drawn with the hook alone. */
export const WithTheHook = meta.story({
  render: function WithTheHook() {
    const [client] = useState(() => {
      const choices = [{ to: { user: "ada" }, name: "Ada" }];
      return createScript({ requests: [formRequest({ giveOn: true })], choices }).client;
    });
    const { current, elicitations } = useElicitationList({ client, conversationId: CONVERSATION });
    const item = current ?? elicitations[0];
    return item?.mode === "form" ? <WhoDecides elicitation={item} /> : <p>Nothing is asked.</p>;
  },
});

WithTheHook.test("gives the form to somebody else", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: "Somebody else decides" }));
  await userEvent.click(await canvas.findByRole("button", { name: "Ada" }));
  await expect(await canvas.findByText("Waits for Ada")).toBeVisible();
});
