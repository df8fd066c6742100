import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { ElicitationDialog } from "elicit-kit/dialog";
import { describe, expect, it } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import {
  CONVERSATION,
  createScript,
  type Script,
  type ScriptOptions,
} from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

async function show(options: ScriptOptions, Part = Elicitations): Promise<Script> {
  const script = createScript(options);
  mount(<Part client={script.client} conversationId={CONVERSATION} />);
  await expect.element(page.getByRole("heading").first()).toBeVisible();
  return script;
}

type Send = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;
const send: Send = (method, params) => (cdp() as unknown as { send: Send }).send(method, params);

/** The middle of the element on the screen, because the test runs in a frame. */
function middleOf(element: Element): { x: number; y: number } {
  const { x, y, width, height } = element.getBoundingClientRect();
  const frame = window.frameElement?.getBoundingClientRect();
  return { x: x + width / 2 + (frame?.x ?? 0), y: y + height / 2 + (frame?.y ?? 0) };
}

/** A press with pointer down and up at one place, like a real one. */
const PRESSES: Readonly<Record<string, (place: { x: number; y: number }) => Promise<void>>> = {
  async click(place) {
    for (const type of ["mousePressed", "mouseReleased"]) {
      await send("Input.dispatchMouseEvent", { type, ...place, button: "left", clickCount: 1 });
      await new Promise(requestAnimationFrame);
    }
  },
  async tap(place) {
    await send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [place] });
    await send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  },
};

describe.each(Object.entries(PRESSES))("a %s that leaves a field with an invalid answer", (_, press) => {
  const request = formRequest({
    requestedSchema: {
      type: "object",
      properties: {
        email: { type: "string", title: "Email", format: "email" },
        size: { type: "string", title: "Size", enum: ["S", "M", "L"] },
      },
    },
  });

  it("declines on a press of Decline, although the appearing error moves the button", async () => {
    const script = await show({ requests: [request] });
    await userEvent.fill(page.getByRole("textbox"), "nobody");
    await press(middleOf(page.getByRole("button", { name: "Decline" }).element()));
    await expect.poll(() => script.sent).toMatchObject([{ action: "decline" }]);
  });

  it("selects the option that it presses, and then the error is shown", async () => {
    await show({ requests: [request] });
    await userEvent.fill(page.getByRole("textbox"), "nobody");
    await press(middleOf(page.getByText("S", { exact: true }).element()));
    await expect.element(page.getByRole("radio", { name: "S" })).toBeChecked();
    await expect.element(page.getByText(/^Please enter an email address/)).toBeVisible();
  });
});

describe("a double-click", () => {
  it.each(["Decline", "Confirm"])(
    "on %s answers only one request, and not the next one under the pointer",
    async (name) => {
      const requests = ["form-1", "form-2"].map((elicitationId) =>
        formRequest({ elicitationId, requestedSchema: { type: "object", properties: {} } }),
      );
      const script = await show({ requests }, ElicitationDialog);
      await userEvent.dblClick(page.getByRole("button", { name }));
      await expect.poll(() => script.client.getSnapshot().items[0]?.status).toMatch(/^(accept|declin)ed$/);
      await expect.element(page.getByRole("button", { name })).toBeVisible();
      expect(script.sent).toMatchObject([{ elicitationId: "form-1" }]);
    },
  );
});
