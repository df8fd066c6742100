import { act, cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useElicitationList } from "elicit-kit";
import { afterEach, expect, it } from "vitest";
import { CONVERSATION, type ScriptOptions, createScript } from "../../src/client/testing/scripted-client.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { expectAccessible } from "../../src/react/testing/expect-accessible.ts";
import { WhoDecides } from "../../stories/examples/who-decides.tsx";

afterEach(cleanup);

function show(request: ReturnType<typeof formRequest>, options: ScriptOptions = {}) {
  const script = createScript({ requests: [request], ...options });
  function Chat() {
    const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
    return elicitations.map(
      (item) => item.mode === "form" && <WhoDecides key={item.id} elicitation={item} />,
    );
  }
  render(<main>{<Chat />}</main>);
  return script;
}

it("the hook alone gives the user's own form to somebody else, reminds them, and takes it back", async () => {
  const script = show(formRequest({ giveOn: true }), {
    choices: [{ to: { user: "ada" }, name: "Ada" }],
    reminder: { sent: false, retryAfterMs: 90_000 },
  });
  await userEvent.click(screen.getByRole("button", { name: "Somebody else decides" }));
  await userEvent.click(screen.getByRole("button", { name: "Ada" }));
  expect(script.assigned).toEqual([["form-1", { user: "ada" }]]);
  expect(screen.getByText("Waits for Ada")).toBeDefined();
  const assignee = { name: "Ada", takeBack: true, remind: true };
  await act(async () => script.ask(formRequest({ giveOn: true, assignee })));
  await userEvent.click(screen.getByRole("button", { name: "Remind" }));
  expect(screen.getByText("You can do that in 2 min.")).toBeDefined();
  await expectAccessible();
  await userEvent.click(screen.getByRole("button", { name: "I decide" }));
  expect(script.assigned.at(-1)).toEqual(["form-1", null]);
  expect(screen.getByRole("button", { name: "Somebody else decides" })).toBeDefined();
});

it("the card says for whom the user decides, and offers nothing that the server does not", () => {
  show(formRequest({ from: { name: "Bo" } }));
  expect(screen.getByText("For Bo")).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});
