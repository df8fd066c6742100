import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import type { ReactNode } from "react";
import { beforeEach, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { CONVERSATION, createScript, type ScriptOptions } from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "./mount.ts";

let container: HTMLElement;

async function show(options: ScriptOptions, before: ReactNode = null) {
  const script = createScript(options);
  container = mount(
    <>
      {before}
      <Elicitations client={script.client} conversationId={CONVERSATION} />
    </>,
  );
  await expect.poll(() => container.querySelector(".elicit-list")).toBeTruthy();
  return script;
}

const card = () => container.querySelector<HTMLElement>("[data-elicitation]");
const press = (keys: string) => userEvent.keyboard(keys);

beforeEach(() => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  scrollTo(0, 0);
});

it("a new card leaves the focus in an iframe in which the user types", async () => {
  const script = await show(
    {},
    <iframe title="Editor" sandbox="allow-same-origin" srcDoc="<textarea aria-label=Text></textarea>" />,
  );
  const frame = container.querySelector("iframe")!;
  await expect.poll(() => frame.contentDocument?.querySelector("textarea")).toBeTruthy();
  const text = frame.contentDocument!.querySelector("textarea")!;
  text.focus();
  expect(document.activeElement).toBe(frame);
  script.ask(formRequest());
  await expect.poll(card).toBeTruthy();
  await expect.poll(() => container.querySelector("output")?.textContent).toContain("parcel");
  expect(document.activeElement).toBe(frame);
  await press("typed on");
  expect(text.value).toBe("typed on");
});

it("a new card leaves the focus on a button", async () => {
  const script = await show({}, <button>Stop</button>);
  container.querySelector("button")!.focus();
  script.ask(urlRequest());
  await expect.poll(() => container.querySelector("output")?.textContent).toContain("GitHub");
  expect(document.activeElement?.textContent).toBe("Stop");
});

it("Escape does not end a request whose card has taken the focus by itself", async () => {
  const script = await show({ requests: [urlRequest()] });
  await expect.poll(() => card()?.contains(document.activeElement)).toBe(true);
  await press("{Escape}");
  expect(script.client.getSnapshot().items[0]?.status).toBe("pending");
  expect(card()?.contains(document.activeElement)).toBe(false);
  await press("{Escape}");
  expect(script.sent).toEqual([]);
});

it("Escape dismisses a request once the user has moved the focus within its card", async () => {
  const script = await show({ requests: [urlRequest()] });
  await expect.poll(() => card()?.contains(document.activeElement)).toBe(true);
  await press("{Tab}");
  await press("{Escape}");
  await expect.poll(() => script.client.getSnapshot().items[0]?.status).toBe("cancelled");
});

it("Escape dismisses a request once the user has pressed its card", async () => {
  const script = await show({ requests: [urlRequest()] });
  await expect.poll(() => card()?.contains(document.activeElement)).toBe(true);
  await userEvent.click(card()!.querySelector(".elicit-title")!);
  await press("{Escape}");
  await expect.poll(() => script.client.getSnapshot().items[0]?.status).toBe("cancelled");
});

it("a card that mounts below the visible area does not scroll the page", async () => {
  await show({ requests: [formRequest()] }, <div style={{ blockSize: "300vh" }}>A long page</div>);
  await expect.poll(() => card()?.contains(document.activeElement)).toBe(true);
  expect(scrollY).toBe(0);
});

it("a changing card does not take the focus back from a user who has left it", async () => {
  const script = await show({ requests: [urlRequest()] }, <p>The page</p>);
  await expect.poll(() => card()?.contains(document.activeElement)).toBe(true);
  await userEvent.click(container.querySelector("p")!);
  expect(document.activeElement).toBe(document.body);
  script.ask(urlRequest({ progress: { status: "pending", lastError: "Access denied" } }));
  await expect.poll(() => card()?.textContent).toContain("Access denied");
  expect(document.activeElement).toBe(document.body);
});
