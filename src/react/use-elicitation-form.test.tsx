import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { Headless } from "../../stories/examples/headless.tsx";
import { CONVERSATION, createScript, type Script } from "../client/testing/scripted-client.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { de } from "../words/cards/de.ts";
import { ElicitationProvider } from "./elicitation-provider.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function script(
  properties: Readonly<Record<string, unknown>>,
  { required = [], control }: { required?: string[]; control?: "rating" } = {},
) {
  const requestedSchema = { type: "object", properties, required } as const;
  const context = { trigger: "tool", fields: { value: { control } } } as const;
  const requests = [formRequest({ requestedSchema, ...(control !== undefined && { context }) })];
  return createScript({ requests, storage: sessionStorage });
}

/** The custom card of docs/show/own-cards.md. */
const show = (made: Script, catalogue?: typeof de) =>
  act(async () =>
    render(
      <StrictMode>
        <ElicitationProvider catalogue={catalogue}>
          <Headless client={made.client} conversationId={CONVERSATION} />
        </ElicitationProvider>
      </StrictMode>,
    ),
  );

const send = () => userEvent.click(screen.getByRole("button", { name: "Send" }));
const contents = ({ sent }: Script) => sent.map(({ content }) => ({ ...content }));

describe("useElicitationForm", () => {
  it("shows errors after a field was left or sent, links them to it, and focuses the first", async () => {
    const made = script(
      { email: { type: "string", format: "email", title: "Email" }, city: { type: "string", title: "City" } },
      { required: ["city"] },
    );
    await show(made);
    const email = screen.getByLabelText("Email");
    await userEvent.type(email, "nobody");
    expect(email.getAttribute("aria-invalid")).toBeNull();
    await userEvent.tab();
    expect(email.getAttribute("aria-invalid")).toBe("true");
    await userEvent.type(email, "@example.com");
    expect(email.getAttribute("aria-invalid")).toBeNull();
    await send();
    const city = screen.getByLabelText("City");
    expect(document.activeElement).toBe(city);
    const described = document.getElementById(city.getAttribute("aria-describedby") ?? "");
    expect(described?.textContent).toBe("Please fill this in.");
    await userEvent.type(city, "Lisbon");
    await send();
    expect(contents(made)).toEqual([{ email: "nobody@example.com", city: "Lisbon" }]);
  });

  it("sends an answer of each kind, and reads numbers in the format of the language", async () => {
    const made = script({
      price: { type: "number", title: "Price" },
      news: { type: "boolean", title: "News" },
      sure: { type: "boolean", title: "Sure" },
      board: { type: "string", title: "Board", enum: ["half", ""] },
      days: { type: "array", title: "Days", items: { type: "string", enum: ["Sat", "Sun"] } },
    });
    await show(made, de);
    await userEvent.type(screen.getByLabelText("Price"), "1.000,5");
    expect(screen.getByLabelText<HTMLInputElement>("Price").value).toBe("1.000,5");
    await userEvent.click(screen.getByLabelText("News"));
    await userEvent.selectOptions(screen.getByLabelText("Board"), "half");
    await userEvent.selectOptions(screen.getByLabelText("Days"), ["Sat", "Sun"]);
    await send();
    expect(contents(made)).toEqual([{ price: 1000.5, news: true, board: "half", days: ["Sat", "Sun"] }]);
  });

  it.each([
    ["a choice", { type: "string", enum: ["half", "full"] }, "full"],
    ["a lone yes or no", { type: "boolean" }, "No"],
    ["a rating", { type: "integer", minimum: 1, maximum: 5 }, "4"],
  ])("takes the answer to %s back where the user selects that it is not set", async (_, value, chosen) => {
    const made = script({ value: { ...value, title: "Value" } }, { control: "rating" });
    await show(made);
    await userEvent.selectOptions(screen.getByLabelText("Value"), chosen);
    await userEvent.selectOptions(screen.getByLabelText("Value"), "Not set");
    await send();
    expect(contents(made)).toEqual([{}]);
  });

  it("controls an empty number field from the start, as React requires", async () => {
    await show(script({ nights: { type: "number", title: "Nights" } }));
    expect(screen.getByLabelText("Nights").getAttribute("value")).toBe("");
  });

  it("keeps user input across a reload, but not for a form that asks for secrets", async () => {
    const made = script({ city: { type: "string", title: "City" } });
    await show(made);
    await userEvent.type(screen.getByLabelText("City"), "Lis");
    cleanup();
    await show(made);
    expect(screen.getByLabelText<HTMLInputElement>("City").value).toBe("Lis");
  });

  it("sends secrets only after a separate confirmation", async () => {
    const made = script({ password: { type: "string", title: "Password" } });
    await show(made);
    const password = screen.getByLabelText<HTMLInputElement>("Password");
    expect(password.type).toBe("password");
    await userEvent.type(password, "1234");
    await send();
    const share = screen.getByRole("checkbox");
    expect(document.activeElement).toBe(share);
    expect(made.sent).toEqual([]);
    await userEvent.click(share);
    await send();
    expect(contents(made)).toEqual([{ password: "1234" }]);
    expect(made.client.drafts.load("form-1")).toBeUndefined();
  });

  it("starts empty for the next request, even if the component has no React key", async () => {
    const made = script({ city: { type: "string", title: "City" } });
    await show(made);
    await userEvent.type(screen.getByLabelText("City"), "Lisbon");
    await act(async () => made.ask(formRequest({ elicitationId: "form-2", message: "And when?" })));
    await send();
    expect(await screen.findByText(/And when\?/)).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>("City").value).toBe("");
  });
});
