import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { de } from "elicit-kit/catalogues/de";
import { ConnectPromptParts, FormElicitationParts } from "elicit-kit/parts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ElicitationCards } from "../../registry/elicitation/elicitation-cards.tsx";
import { createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../src/contract/testing/requests.ts";
import { expectAccessible } from "../../src/react/testing/expect-accessible.ts";

afterEach(cleanup);

const OPTIONS = ["Room only", "Breakfast", "Half board", "Full board", "All inclusive", "Self catering"];

const booking = () =>
  formRequest({
    message: "Which hotel shall I book?",
    requestedSchema: {
      type: "object",
      properties: {
        city: { type: "string", title: "City", minLength: 2 },
        board: { type: "string", title: "Board", enum: OPTIONS },
        late: { type: "boolean", title: "Late arrival" },
      },
      required: ["city", "board"],
    },
  });

describe("the cards of the registry", () => {
  it.each([
    ["connect-card.tsx", "Connect", Object.keys(ConnectPromptParts)],
    ["form-card.tsx", "Form", Object.keys(FormElicitationParts)],
  ])("use every part: %s", (file, prefix, parts) => {
    const card = readFileSync(join(import.meta.dirname, "../../registry/elicitation", file), "utf8");
    expect(parts.filter((part) => !new RegExp(`<${prefix}\\.${part}\\b`).test(card))).toEqual([]);
  });

  it("send an answer that was entered with the app's own components", async () => {
    const script = createScript({ requests: [booking()] });
    const { container } = render(
      <main>
        <ElicitationCards client={script.client} />
      </main>,
    );
    await expectAccessible();
    await userEvent.type(screen.getByRole("textbox", { name: "City" }), "Lisbon");
    await userEvent.click(screen.getByRole("button", { name: "Half board" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Late arrival" }));
    const slots = [...container.querySelectorAll<HTMLElement>("[data-slot]")].map(
      ({ dataset }) => dataset["slot"],
    );
    expect(slots).toEqual(expect.arrayContaining(["card", "input", "select-trigger", "checkbox", "button"]));
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    await screen.findByText("Sent");
    expect(script.sent.map(({ content }) => ({ ...content }))).toEqual([
      { city: "Lisbon", board: "Half board", late: true },
    ]);
  });

  it("send a decline with what the user wants instead", async () => {
    const script = createScript({ requests: [booking()] });
    render(
      <main>
        <ElicitationCards client={script.client} />
      </main>,
    );
    await userEvent.click(screen.getByRole("button", { name: "No, and …" }));
    const line = screen.getByRole("textbox", { name: "No, and" });
    expect(document.activeElement).toBe(line);
    expect(line.dataset["slot"]).toBe("input");
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
    await userEvent.type(line, "only near the sea");
    await expectAccessible();
    await userEvent.click(screen.getByRole("button", { name: "Decline" }));
    expect(script.sent).toMatchObject([{ action: "decline", note: "only near the sea" }]);
    expect(await screen.findByText("only near the sea", { selector: "q" })).toBeDefined();
  });

  it("pass on a question to another user, and wait for them, with the app's own components", async () => {
    const choices = ["Cy", "Dan", "Eve", "Fay", "Gil", "Hal"].map((name) => ({ to: { user: name }, name }));
    const script = createScript({
      requests: [
        formRequest({ from: { name: "Bo" }, giveOn: true }),
        { ...booking(), elicitationId: "for-ada", assignee: { name: "Ada", takeBack: true, remind: true } },
      ],
      choices,
    });
    const { container } = render(
      <main>
        <ElicitationCards client={script.client} />
      </main>,
    );
    expect(screen.getByText("Waits for Ada", { ignore: "output" })).toBeDefined();
    await userEvent.click(screen.getByRole("button", { name: "Remind" }));
    expect(script.reminded).toEqual(["for-ada"]);
    await userEvent.click(screen.getByRole("button", { name: "Give to someone else" }));
    expect(container.querySelector("[data-give-to] [data-slot=select-trigger]")).not.toBeNull();
    await expectAccessible();
    await userEvent.click(screen.getByRole("button", { name: "Dan" }));
    await userEvent.click(screen.getByRole("button", { name: "Give" }));
    expect(script.assigned).toEqual([["form-1", { user: "Dan" }]]);
  });

  it("have the catalogue's texts on every button", () => {
    const script = createScript({ requests: [urlRequest()] });
    render(<ElicitationCards client={script.client} catalogue={de} />);
    const names = screen.getAllByRole("button").map(({ textContent }) => textContent?.replace("×", ""));
    expect(names).toEqual(expect.arrayContaining([de.dismiss, de.connect, de.decline]));
  });

  it("show no questions that ask for secrets if the app refuses those", () => {
    const requestedSchema = { type: "object", properties: { password: { type: "string" } } } as const;
    const script = createScript({ requests: [formRequest({ requestedSchema })] });
    render(<ElicitationCards client={script.client} secrets="refuse" />);
    expect(screen.queryByLabelText("password")).toBeNull();
    expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
  });

  it("group the requests of a round", () => {
    const round = { id: "round", size: 2 };
    const script = createScript({ requests: [urlRequest({ round }), { ...booking(), round }] });
    render(<ElicitationCards client={script.client} />);
    expect(screen.getAllByRole("group").some(({ className }) => className === "elicit-round")).toBe(true);
  });

  it("accept a control of the app", () => {
    const script = createScript({ requests: [booking()] });
    const components = { control: { text: () => <input aria-label="My own" /> } };
    render(<ElicitationCards client={script.client} components={components} />);
    expect(screen.getByRole("textbox", { name: "My own" })).toBeDefined();
  });
});
