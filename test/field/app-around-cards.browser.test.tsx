import { Elicitations, type FormElicitationItem, useElicitationForm, useElicitationList } from "elicit-kit";
import { ElicitationDialog } from "elicit-kit/dialog";
import type { ReactNode } from "react";
import { expect } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CONVERSATION, createScript, type Script } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { mount } from "../browser/mount.ts";
import { fieldCase } from "./field-case.ts";

const box = (name: string) => page.getByRole("textbox", { name, exact: true });
const send = () => userEvent.click(page.getByRole("button", { name: "Send", exact: true }));

function OwnForm({ item }: { item: FormElicitationItem }) {
  const { fields, formProps, submitProps } = useElicitationForm(item);
  return (
    <form {...formProps}>
      {fields.map(
        (field) =>
          field.element === "input" && (
            <label key={field.name} {...field.labelProps}>
              {field.label}
              <input {...field.inputProps} />
            </label>
          ),
      )}
      <button {...submitProps}>Send</button>
    </form>
  );
}

function Hook({ client }: Pick<Script, "client">) {
  const { current } = useElicitationList({ client, conversationId: CONVERSATION });
  return current?.mode === "form" ? <OwnForm item={current} /> : null;
}

const PLACES: readonly ((script: Script) => ReactNode)[] = [
  ({ client }) => <Elicitations client={client} conversationId={CONVERSATION} />,
  ({ client }) => <Elicitations client={client} conversationId={CONVERSATION} placement="composer" />,
  ({ client }) => <ElicitationDialog client={client} conversationId={CONVERSATION} />,
];

fieldCase(
  { sources: ["edmundhung/conform#587"], before: "failed" },
  "a form of the app around a card is neither sent nor changed by answers in the card",
  async () => {
    for (const [index, place] of PLACES.entries()) {
      const heard: string[] = [];
      const hear = ({ type }: { type: string }) => void heard.push(type);
      const script = createScript({ requests: [formRequest({ elicitationId: `form-${index}` })] });
      // A nested form is an error of HTML only where the server renders both.
      const app = mount(
        <div onSubmit={hear} onReset={hear} onChange={hear} onInput={hear}>
          <div role="presentation" onKeyDown={({ key }) => key === "Enter" && heard.push("Enter")}>
            {place(script)}
          </div>
        </div>,
      );
      await userEvent.fill(box("City"), "Lisbon");
      await userEvent.keyboard("{Enter}");
      await expect.poll(() => script.sent).toMatchObject([{ action: "accept", content: { city: "Lisbon" } }]);
      expect(heard).toEqual([]);
      app.remove();
    }
  },
);

fieldCase(
  { sources: ["edmundhung/conform#587"], before: "failed" },
  "a click or a key in the dialog does not reach the component of the app that shows it",
  async () => {
    const heard: string[] = [];
    const hear = ({ type }: { type: string }) => void heard.push(type);
    const script = createScript({ requests: [formRequest()] });
    mount(
      <div role="presentation" onClick={hear} onKeyDown={hear} onMouseDown={hear} onPaste={hear}>
        <ElicitationDialog client={script.client} conversationId={CONVERSATION} />
      </div>,
    );
    await userEvent.click(box("City"));
    await userEvent.keyboard("Porto");
    await send();
    await expect.poll(() => script.sent).toMatchObject([{ content: { city: "Porto" } }]);
    expect(heard).toEqual([]);
  },
);

fieldCase(
  { sources: ["react/react#1159", "codaxy/cxjs#148"], before: "failed" },
  "a value that the browser has filled in without an event is sent as the user sees it",
  async () => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    for (const place of [PLACES[0], ({ client }: Script) => <Hook client={client} />]) {
      const script = createScript({ requests: [formRequest()] });
      const app = mount(place?.(script));
      await userEvent.fill(box("City"), "Lisbon");
      setValue?.call(page.getByRole("textbox", { name: /Email/ }).element(), "ada@example.com");
      await send();
      const content = { city: "Lisbon", email: "ada@example.com" };
      await expect.poll(() => script.sent).toMatchObject([{ content }]);
      app.remove();
    }
  },
);
