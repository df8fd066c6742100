import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { CONVERSATION, createScript } from "../../src/client/testing/scripted-client.ts";
import { previewQuestion } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

it("the user reaches You decide with Tab, and Enter leaves the decision to the agent", async () => {
  const script = createScript({ requests: [previewQuestion({ delegate: true })] });
  const container = mount(<Elicitations client={script.client} conversationId={CONVERSATION} />, "640px");
  await expect.poll(() => container.querySelector("[data-field]")).toBeTruthy();
  container.querySelector<HTMLElement>("input")!.focus();
  for (let tabs = 0; tabs < 10 && document.activeElement?.textContent !== "You decide"; tabs += 1) {
    await userEvent.keyboard("{Tab}");
  }
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => script.sent).toMatchObject([{ action: "accept", delegated: true }]);
  expect(script.sent[0]).not.toHaveProperty("content");
  await expect.poll(() => container.textContent).toContain("You left this to the assistant");
});
