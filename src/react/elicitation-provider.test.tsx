import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CONVERSATION, createScript } from "../client/testing/scripted-client.ts";
import { getRegistrableDomain } from "../client/registrable-domain.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { de } from "../words/cards/de.ts";
import { ElicitationProvider, type ElicitationProviderProps } from "./elicitation-provider.tsx";
import { Elicitations, type ElicitationsProps } from "./elicitations/Elicitations.tsx";
import { lateForm } from "./elicitations/lazy-cards.ts";

await lateForm.load();
afterEach(cleanup);

const IMITATION = "https://login.github.com.evil-example.com/oauth";

async function show(
  request: ElicitationRequest,
  settings: ElicitationProviderProps,
  props: Partial<ElicitationsProps> = {},
) {
  const { client } = createScript({ requests: [request] });
  await act(async () =>
    render(
      <ElicitationProvider {...settings}>
        <Elicitations client={client} conversationId={CONVERSATION} {...props} />
      </ElicitationProvider>,
    ),
  );
}

const bold = () => document.querySelector(".elicit-host b")?.textContent;

describe("ElicitationProvider", () => {
  it("sets the catalogue of all cards inside, and a card's own prop overrides it", async () => {
    await show(urlRequest(), { catalogue: de });
    expect(screen.getByRole("button", { name: de.decline })).toBeDefined();
    cleanup();
    await show(urlRequest(), {}, { catalogue: de });
    expect(screen.getByRole("button", { name: de.decline })).toBeDefined();
  });

  it("sets how forms that ask for secrets are handled", async () => {
    const properties = { password: { type: "string" } } as const;
    await show(formRequest({ requestedSchema: { type: "object", properties } }), { secrets: "refuse" });
    expect(screen.queryByLabelText(/password/)).toBeNull();
  });

  it("sets the app's own cards for all cards inside", async () => {
    await show(urlRequest(), { components: { ConnectPrompt: () => <p>My connect</p> } });
    expect(screen.getByText("My connect")).toBeDefined();
  });

  it("shows the registrable domain of a deceptive address in bold", async () => {
    await show(urlRequest({ url: IMITATION }), {});
    expect(bold()).toBe("login.github.com.evil-example.com");
    cleanup();
    await show(urlRequest({ url: IMITATION }), { getRegistrableDomain });
    expect(bold()).toBe("evil-example.com");
  });

  it("loads the list of domains with the first link, and shows the whole host in bold without it", async () => {
    const load = vi.fn<() => Promise<{ getRegistrableDomain: typeof getRegistrableDomain }>>(
      () => import("../client/registrable-domain.ts"),
    );
    await show(formRequest(), { loadRegistrableDomain: load });
    expect(load).not.toHaveBeenCalled();
    cleanup();
    await show(urlRequest({ url: IMITATION }), { loadRegistrableDomain: load });
    await act(async () => vi.dynamicImportSettled());
    expect(load).toHaveBeenCalledOnce();
    expect(bold()).toBe("evil-example.com");
    cleanup();
    load.mockRejectedValue(new Error("tldts is not installed"));
    await show(urlRequest({ url: IMITATION }), { loadRegistrableDomain: load });
    expect(bold()).toBe("login.github.com.evil-example.com");
  });

  it("overrides only the settings that it sets when it is nested", async () => {
    const { client } = createScript({ requests: [urlRequest({ url: IMITATION })] });
    render(
      <ElicitationProvider catalogue={de}>
        <ElicitationProvider getRegistrableDomain={getRegistrableDomain}>
          <Elicitations client={client} conversationId={CONVERSATION} />
        </ElicitationProvider>
      </ElicitationProvider>,
    );
    expect(screen.getByRole("button", { name: de.decline })).toBeDefined();
    expect(bold()).toBe("evil-example.com");
  });

  it("prevents links to this machine from being opened where they are not allowed", async () => {
    const local = urlRequest({ url: "http://localhost:3000/connect" });
    await show(local, {});
    expect(screen.getByRole("button", { name: "Connect" })).toBeDefined();
    cleanup();
    await show(local, { allowLoopbackHttp: false });
    expect(screen.queryByRole("button", { name: "Connect" })).toBeNull();
    expect(screen.getByText("This link is not safe, so it cannot be opened.")).toBeDefined();
  });
});
