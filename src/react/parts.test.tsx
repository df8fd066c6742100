import { act, cleanup, render, renderHook } from "@testing-library/react";
import { type ComponentType, type ReactElement, type ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { offline } from "../client/testing/fake-channel.ts";
import { createScript } from "../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";
import { ConnectPromptParts as Connect, FormElicitationParts as Form } from "./parts.ts";
import { useElicitationList } from "./use-elicitation-list.ts";

afterEach(cleanup);

interface AnyPartProps {
  ref?: (node: HTMLElement | null) => void;
  className?: string;
  title?: string;
  render?: (props: object) => ReactElement;
}

/** One request, in the state that `then` creates. */
function requested(
  request: ElicitationRequest,
  then: (script: ReturnType<typeof createScript>) => void = () => undefined,
) {
  const script = createScript({
    requests: [request],
    respond: () => new Promise(() => undefined),
    popupsBlocked: true,
  });
  then(script);
  const { result } = renderHook(() => useElicitationList({ client: script.client }));
  return result.current.elicitations[0]!;
}

const url = () => requested(urlRequest({ expiresAt: new Date(Date.now() + 60_000).toISOString() }));
const opened = () => requested(urlRequest(), ({ client }) => void client.connect("url-1"));
const ended = () =>
  requested(urlRequest({ resolution: { outcome: "accepted", at: "2026-11-21T12:00:00Z" } }));
const odd = () => requested(urlRequest({ url: "https://example.com:8443/" }));
const noticed = () => requested(urlRequest({ progress: { status: "consented", lastError: "Denied" } }));
const form = () => requested(formRequest());
const forAda = () => requested(formRequest({ assignee: { name: "Ada", takeBack: true, remind: true } }));
const fromBo = () => requested(formRequest({ from: { name: "Bo" }, giveOn: true }));
const secret = () =>
  requested(
    formRequest({ requestedSchema: { type: "object", properties: { password: { type: "string" } } } }),
  );

/** Each part, in a state in which it is visible. */
const cases: readonly (readonly [string, () => BoundElicitation, ComponentType<AnyPartProps>])[] = [
  ["ConnectPromptParts.Title", url, Connect.Title],
  ["ConnectPromptParts.Requester", url, Connect.Requester],
  ["ConnectPromptParts.Message", url, Connect.Message],
  ["ConnectPromptParts.Url", url, Connect.Url],
  ["ConnectPromptParts.CopyLink", url, Connect.CopyLink],
  ["ConnectPromptParts.Warnings", odd, Connect.Warnings],
  ["ConnectPromptParts.Connect", url, Connect.Connect],
  ["ConnectPromptParts.Finished", opened, Connect.Finished],
  ["ConnectPromptParts.Waiting", opened, Connect.Waiting],
  ["ConnectPromptParts.Fallback", opened, Connect.Fallback],
  ["ConnectPromptParts.Decline", url, Connect.Decline],
  ["ConnectPromptParts.Dismiss", url, Connect.Dismiss],
  ["ConnectPromptParts.Notice", noticed, Connect.Notice],
  ["ConnectPromptParts.Remaining", url, Connect.Remaining],
  ["ConnectPromptParts.Receipt", ended, Connect.Receipt],
  ["FormElicitationParts.Submit", form, Form.Submit],
  ["FormElicitationParts.NoAnd", form, Form.NoAnd],
  ["FormElicitationParts.GiveOn", fromBo, Form.GiveOn],
  ["FormElicitationParts.WaitsFor", forAda, Form.WaitsFor],
  ["FormElicitationParts.Remind", forAda, Form.Remind],
  ["FormElicitationParts.TakeBack", forAda, Form.TakeBack],
  ["FormElicitationParts.SecretsWarning", secret, Form.SecretsWarning],
];

function within(elicitation: BoundElicitation, children: ReactNode) {
  const { Root } = elicitation.request.mode === "url" ? Connect : Form;
  return <Root elicitation={elicitation}>{children}</Root>;
}

describe.each(cases)("%s", (name, state, Part) => {
  it("passes attributes and its ref to its element", () => {
    const nodes: (HTMLElement | null)[] = [];
    render(within(state(), <Part ref={(node) => void nodes.push(node)} title="mine" className="mine" />));
    expect(nodes[0]).toMatchObject({ title: "mine", className: "mine" });
  });

  it("renders another element instead of its own", () => {
    render(within(state(), <Part render={(props) => <i {...props} data-testid="other" />} />));
    expect(document.querySelector("[data-elicitation] i")?.getAttribute("data-testid")).toBe("other");
  });

  it("throws outside of its root, with the public names of part and root", () => {
    expect(() => render(<Part />)).toThrow(
      new RegExp(`^elicit-kit: .*<${name}>.* has no root .* within .*<${name.replace(/\..*/, ".Root")}>`),
    );
  });
});

describe.each([
  ["Label", Form.Label],
  ["Description", Form.Description],
  ["Error", Form.Error],
  ["Control", Form.Control],
])("FormElicitationParts.%s", (name, Part) => {
  it("throws outside of a field", () => {
    expect(() => render(within(form(), <Part />))).toThrow(
      `elicit-kit: <FormElicitationParts.${name}> has no root to take its state from. Place it within <FormElicitationParts.Field>.`,
    );
  });
});

describe("the root parts", () => {
  it("throw for the other kind of request, and name the right root", () => {
    const formItem = form();
    const urlItem = url();
    expect(() => render(<Connect.Root elicitation={formItem} />)).toThrow(
      "Use <FormElicitation> or <FormElicitationParts.Root>",
    );
    expect(() => render(<Form.Root elicitation={urlItem} />)).toThrow("Use <ConnectPrompt> for a URL");
  });

  it("show their state as data attributes", () => {
    render(within(opened(), null));
    const root = document.querySelector("[data-elicitation]");
    expect(root?.getAttribute("data-status")).toBe("opened");
    expect(root?.getAttribute("data-window")).toBe("blocked");
    expect(root?.getAttribute("data-verdict")).toBe("ok");
  });

  it("count down to the next retry of an undelivered answer", async () => {
    const { client } = createScript({
      requests: [formRequest()],
      respond: offline,
    });
    const { result } = renderHook(() => useElicitationList({ client }));
    await act(async () => void client.decline("form-1"));
    const [undelivered] = result.current.elicitations;
    const { getByRole } = render(within(undelivered!, <Form.Remaining />));
    expect(getByRole("timer").textContent).toMatch(/^next try in \d+ s$/);
  });

  it("emphasise the registrable domain if the app passes a function that finds it", () => {
    render(
      <Connect.Root elicitation={url()} getRegistrableDomain={() => "example.com"}>
        <Connect.Url />
      </Connect.Root>,
    );
    expect(document.querySelector("strong")?.textContent).toBe("example.com");
    expect(document.querySelector("[data-part=subdomain]")?.textContent).toBe("auth.");
  });

  it("render a form with a developer's own inputs", () => {
    render(
      <Form.Root elicitation={form()}>
        <Form.Fields>
          {(field) => (
            <Form.Field key={field.name} field={field} data-testid={field.name}>
              <Form.Label />
              <Form.Control>{({ id }) => <input id={id} className="own" />}</Form.Control>
            </Form.Field>
          )}
        </Form.Fields>
      </Form.Root>,
    );
    expect(
      [...document.querySelectorAll("input.own")].map((input) =>
        input.closest("[data-field]")?.getAttribute("data-field"),
      ),
    ).toEqual(["city", "email"]);
  });
});
