import { expect, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { Playground } from "./playground.tsx";

/** Choose a scenario, answer, and read the code. Nothing leaves this browser. */
const meta = preview.meta({ title: "Playground", component: Playground, parameters: { column: false } });

// Named as its group, it stands in the tree without a group.
export const Chat = meta.story({ name: "Playground" });

Chat.test("asks, and the agent continues with the answer", async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("radio", { name: "Fill in a form" }));
  const city = await canvas.findByRole("textbox", { name: "City" });
  await userEvent.type(city, "Lisbon");
  await userEvent.type(canvas.getByLabelText("Check-in"), "2027-03-01");
  await userEvent.click(within(city.closest("form")!).getByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("Casa do Mar in Lisbon has a room.")).toBeVisible();
});

Chat.test("shows the whole code of each server", async ({ canvas, userEvent }) => {
  const code = canvas.getByLabelText("The mock server", { selector: "pre" });
  for (const choice of canvas.getAllByRole("radio")) {
    await userEvent.click(choice);
    await expect(code).toHaveTextContent(/^import \{ createMockServer, .*createMockServer\(\{ script/);
  }
});

Chat.test("starts again", async ({ canvas, userEvent }) => {
  await userEvent.click(await canvas.findByRole("button", { name: "Decline" }));
  await userEvent.click(canvas.getByRole("button", { name: "Start again" }));
  await expect(await canvas.findByRole("button", { name: "Decline" })).toBeVisible();
});
