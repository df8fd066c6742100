import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as React from "react";
import { type ReactNode, StrictMode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { CONVERSATION, createScript, type Script } from "../../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import { ar } from "../../words/cards/ar.ts";
import { en } from "../../words/cards/en.ts";
import { ja } from "../../words/cards/ja.ts";
import type { ElicitationPromptProps } from "../card-props.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import { ElicitationAnnouncer } from "../prompt/live-region.tsx";
import { useElicitationList } from "../use-elicitation-list.ts";
import { Elicitations, type ElicitationsProps } from "./Elicitations.tsx";
import { lateForm } from "./lazy-cards.ts";

await lateForm.load();
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Page = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <main>{children}</main>
  </StrictMode>
);

async function show(
  requests: readonly ElicitationRequest[],
  props: Pick<ElicitationsProps, "catalogue" | "components" | "secrets"> = {},
): Promise<Script> {
  const script = createScript({ requests });
  const { client } = script;
  await act(async () =>
    render(<Elicitations client={client} conversationId={CONVERSATION} {...props} />, { wrapper: Page }),
  );
  return script;
}

const cards = () => screen.getAllByRole("group").filter((group) => group.hasAttribute("data-elicitation"));

/** An app's own positions for cards, in a page whose composer has the focus. */
function OwnPlaces({ client }: Pick<Script, "client">) {
  const { elicitations } = useElicitationList({ client, conversationId: CONVERSATION });
  return (
    <ElicitationAnnouncer>
      <textarea aria-label="Message" defaultValue="half a sentence" />
      {elicitations.map((elicitation) => (
        <article key={elicitation.id}>
          <ElicitationPrompt elicitation={elicitation} />
        </article>
      ))}
    </ElicitationAnnouncer>
  );
}

const Pay = ({ elicitation }: ElicitationPromptProps) => (
  <button type="button" onClick={() => void elicitation.accept()}>
    {`Pay ${String(elicitation.request.context?.["amount"])}`}
  </button>
);

describe("Elicitations", () => {
  it("lists all requests in the order in which they were asked, ended ones as receipts", async () => {
    await show([
      urlRequest({ resolution: { outcome: "declined", at: "2026-11-21T12:00:00Z" } }),
      formRequest(),
      urlRequest({ elicitationId: "url-2" }),
    ]);
    expect(cards().map((card) => card.getAttribute("data-elicitation"))).toEqual([
      "url-1",
      "form-1",
      "url-2",
    ]);
    expect(within(cards()[0]!).getByText("You declined")).toBeDefined();
    await expectAccessible();
  });

  it("puts a message in another reading direction on a separate line", async () => {
    await show([urlRequest(), urlRequest({ elicitationId: "url-2", message: "نحتاج إلى إذنك." })], {
      catalogue: ar,
    });
    const [foreign, arabic] = cards().map((card) => card.querySelector(".elicit-lead"));
    expect(foreign?.querySelector("br")).not.toBeNull();
    expect(arabic?.querySelector("br")).toBeNull();
    expect(arabic?.textContent).toBe("Acme Assistant · نحتاج إلى إذنك.");
  });

  it("numbers each of several open requests", async () => {
    const script = await show([urlRequest(), formRequest()]);
    expect(screen.getAllByText(/^Question/).map(({ textContent }) => textContent)).toEqual([
      "Question 1 of 2",
      "Question 2 of 2",
    ]);
    await act(async () => script.client.decline("url-1"));
    await waitFor(() => expect(screen.queryByText(/^Question/)).toBeNull());
  });

  it("answers each request by its own id", async () => {
    const script = await show([urlRequest(), formRequest()]);
    await userEvent.click(within(cards()[1]!).getByRole("button", { name: "Decline" }));
    expect(script.sent).toMatchObject([{ elicitationId: "form-1", action: "decline" }]);
    expect(within(cards()[0]!).getByRole("button", { name: "Connect" })).toBeDefined();
  });

  it("announces through one live region that exists before the first request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const script = await show([]);
    const region = screen.getByRole("status");
    await act(async () => script.ask(urlRequest()));
    await act(async () => script.ask(formRequest()));
    expect(screen.getAllByRole("status")).toEqual([region]);
    expect(region.textContent).toBe("Where should the parcel go?");
    vi.setSystemTime(Date.now() + 1_000);
    await act(async () => script.client.decline("url-1"));
    await waitFor(() => expect(region.textContent).toBe("You declined."));
  });

  it("announces a title and its message with the full stop of their language, and with no second one", async () => {
    const script = await show([], { catalogue: ja });
    const region = screen.getByRole("status");
    // The first card takes the focus, and the second one is announced.
    await act(async () => script.ask(formRequest()));
    await act(async () => script.ask(urlRequest({ service: { name: "Tracker" } })));
    expect(region.textContent).toBe(
      "Tracker に接続。 To list your repositories, GitHub needs your permission.",
    );
  });

  it("announces all requests that arrive together, and announces a receipt together with the next request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const script = createScript({ requests: [] });
    await act(async () => render(<OwnPlaces client={script.client} />, { wrapper: Page }));
    const region = screen.getByRole("status");
    screen.getByLabelText("Message").focus();
    await act(async () => {
      script.ask(urlRequest());
      script.ask(formRequest());
    });
    expect(region.textContent).toMatch(/^Connect your account\. .+ Where should the parcel go\?/);
    vi.setSystemTime(Date.now() + 1_000);
    await act(async () => {
      void script.client.decline("url-1");
      script.ask(formRequest({ elicitationId: "form-2", message: "And when?" }));
    });
    // The order of React's effects differs between its versions, so both orders are correct.
    expect(["And when? You declined.", "You declined. And when?"]).toContain(region.textContent);
  });

  it("announces an arrival once, also if <Activity> has hidden the chat in between", async () => {
    const { Activity } = React;
    if (Activity === undefined) return;
    const script = createScript({ requests: [] });
    const chat = (mode: "visible" | "hidden") => (
      <>
        <textarea aria-label="Elsewhere" />
        <Activity mode={mode}>
          <Elicitations client={script.client} conversationId={CONVERSATION} />
        </Activity>
      </>
    );
    const { rerender } = render(chat("visible"), { wrapper: Page });
    screen.getByLabelText("Elsewhere").focus();
    await act(async () => script.ask(formRequest()));
    const region = screen.getByRole("status");
    expect(region.textContent).toBe("Where should the parcel go?");
    region.textContent = "";
    await act(async () => rerender(chat("hidden")));
    await act(async () => rerender(chat("visible")));
    expect(cards()).toHaveLength(1);
    expect(region.textContent).toBe("");
  });

  it("shares one live region between cards that an app places itself", async () => {
    const script = createScript({ requests: [] });
    await act(async () => render(<OwnPlaces client={script.client} />, { wrapper: Page }));
    const region = screen.getByRole("status");
    screen.getByLabelText("Message").focus();
    await act(async () => script.ask(urlRequest()));
    expect(screen.getAllByRole("status")).toEqual([region]);
    expect(region.textContent).toContain("Connect your account.");
    await act(async () => script.client.decline("url-1"));
    expect(region.textContent).toBe("You declined.");
    await expectAccessible();
  });

  it("groups the requests of a round with its progress, and sends their answers together", async () => {
    const round = { id: "round-1", size: 2 };
    const script = await show([
      formRequest({ round, requestedSchema: { type: "object", properties: {} } }),
      urlRequest(),
      formRequest({ elicitationId: "form-2", round, requestedSchema: { type: "object", properties: {} } }),
    ]);
    const group = screen.getByRole("group", { name: "0 of 2 answered, sent together" });
    await expectAccessible();
    const [first, second] = within(group).getAllByRole("button", { name: "Confirm" });
    await userEvent.click(first!);
    expect(screen.getByRole("group", { name: "1 of 2 answered, sent together" })).toBe(group);
    expect(script.sent).toEqual([]);
    await userEvent.click(second!);
    expect(script.sent.map(({ elicitationId }) => elicitationId)).toEqual(["form-1", "form-2"]);
  });

  it("renders the app's component for a trigger of the app, but never for blocked requests", async () => {
    const context = { trigger: "payment", amount: "5 €" };
    const script = await show(
      [urlRequest({ context }), urlRequest({ elicitationId: "bad", url: "data:,x", context })],
      {
        components: { context: { payment: Pay } },
      },
    );
    expect(screen.getByText("This link is not safe, so it cannot be opened.")).toBeDefined();
    await userEvent.click(screen.getByRole("button", { name: "Pay 5 €" }));
    expect(script.sent).toMatchObject([{ elicitationId: "url-1", action: "accept" }]);
  });

  it("does not treat the names of inherited properties as triggers", async () => {
    await show([urlRequest({ context: { trigger: "constructor" } })], { components: { context: {} } });
    expect(screen.getByRole("button", { name: "Open page" })).toBeDefined();
  });

  it("renders the app's own cards instead of the kit's", async () => {
    const components = { ConnectPrompt: () => <p>My connect</p>, FormElicitation: () => <p>My form</p> };
    await show([urlRequest(), formRequest()], { components });
    expect(screen.getByText("My connect").compareDocumentPosition(screen.getByText("My form"))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
  });

  it("uses the words of the catalogue", async () => {
    await show([urlRequest()], { catalogue: { ...en, locale: "ar", dir: "rtl", connect: "ربط" } });
    expect(screen.getByRole("button", { name: "ربط" })).toBeDefined();
    expect(cards()[0]).toMatchObject({ lang: "ar", dir: "rtl" });
  });

  it("renders a card only when its own request changes", async () => {
    const rendered: string[] = [];
    const Own = ({ elicitation }: ElicitationPromptProps) => {
      rendered.push(elicitation.id);
      return null;
    };
    const context = { trigger: "own" };
    const script = await show([urlRequest({ context }), formRequest({ context })], {
      components: { context: { own: Own } },
    });
    rendered.length = 0;
    await act(async () => script.client.decline("form-1"));
    await waitFor(() => expect(new Set(rendered)).toEqual(new Set(["form-1"])));
  });

  it("does not re-render a card for a streamed token", async () => {
    let renders = 0;
    const script = createScript({ requests: [urlRequest()] });
    const Own = () => {
      renders += 1;
      return null;
    };
    const components = { context: { credential_required: Own } };
    const list = (text: string) => (
      <Elicitations
        client={script.client}
        conversationId={CONVERSATION}
        messages={[{ parts: [{ type: "text", data: text }] }]}
        components={components}
      />
    );
    const { rerender } = render(list(""));
    await act(async () => undefined);
    const before = renders;
    for (let token = 0; token < 20; token++) rerender(list("x".repeat(token)));
    expect(renders).toBe(before);
  });
});
