import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { StrictMode } from "react";
import { afterEach, expect, it } from "vitest";
import {
  CONVERSATION,
  type Script,
  type ScriptOptions,
  createScript,
} from "../../client/testing/scripted-client.ts";
import { formRequest } from "../../contract/testing/requests.ts";
import { ar } from "../../words/cards/ar.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import { loadFormCard } from "../elicitations/form-card.ts";
import { expectAccessible } from "../testing/expect-accessible.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { FormElicitation } from "./FormElicitation.tsx";

afterEach(cleanup);

const FOR_ADA = formRequest({ assignee: { name: "Ada", takeBack: true } });

function Cards({ script, catalogue }: { script: Script; catalogue: Catalogue | undefined }) {
  const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
  return elicitations.map((item) => (
    <FormElicitation key={item.id} elicitation={item} catalogue={catalogue} />
  ));
}

function show(request = FOR_ADA, { catalogue, ...options }: ScriptOptions & { catalogue?: Catalogue } = {}) {
  const script = createScript({ requests: [request], ...options });
  render(
    <StrictMode>
      <main>
        <Cards script={script} catalogue={catalogue} />
      </main>
    </StrictMode>,
  );
  return script;
}

it("says who decides, and has no questions", async () => {
  const { client, sent } = show();
  expect(screen.getByText("Waits for Ada")).toBeDefined();
  expect(screen.getByRole("heading", { name: "Where should the parcel go?" })).toBeDefined();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Take back"]);
  await expectAccessible();
  // The app's own card may still be tried.
  await act(async () => {
    await client.accept("form-1", { city: "Lisbon" });
    client.hold("form-1", "decline");
  });
  expect(sent).toEqual([]);
});

it("becomes the form when the user takes it back", async () => {
  const { takenBack } = show();
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(takenBack).toEqual(["form-1"]);
  expect(screen.getByRole("textbox", { name: "City" })).toBeDefined();
  expect(screen.queryByText("Waits for Ada")).toBeNull();
});

it("reports that it could not be taken back, and lets the user try again", async () => {
  show(FOR_ADA, { takeBackFails: true });
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(screen.getByText(/could not|went wrong|not reach/i)).toBeDefined();
  expect(screen.getByRole("button", { name: "Take back" }).getAttribute("aria-disabled")).not.toBe("true");
});

it("offers no way to take it back if the application does not allow that", () => {
  show(formRequest({ assignee: { name: "Ada" } }));
  expect(screen.queryByRole("button")).toBeNull();
});

it("follows changes of the assignee, and at the end says who has answered", async () => {
  const { ask } = show();
  await act(async () => ask({ ...FOR_ADA, assignee: { name: "The finance team" } }));
  expect(screen.getByText("Waits for The finance team")).toBeDefined();
  const resolution = { outcome: "accepted" as const, at: "2026-11-20T12:00:00Z", by: "Cy" };
  await act(async () => ask(formRequest({ resolution })));
  expect(screen.getByText("Answered by Cy")).toBeDefined();
});

it("uses the language of its catalogue", async () => {
  show(FOR_ADA, { catalogue: ar });
  expect(screen.getByText(/بانتظار/, { ignore: "output" }).textContent).toContain("Ada");
  await expectAccessible();
});

it("replaces the app's own form card, until the user may decide", async () => {
  await loadFormCard();
  const script = createScript({ requests: [FOR_ADA] });
  function Chat() {
    const { elicitations } = useElicitationList({ client: script.client, conversationId: CONVERSATION });
    return elicitations.map((item) => (
      <ElicitationPrompt
        key={item.id}
        elicitation={item}
        components={{ FormElicitation: () => <p>The card of the app</p> }}
      />
    ));
  }
  render(<Chat />);
  expect(screen.getByText("Waits for Ada", { ignore: "output" })).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(screen.getByText("The card of the app")).toBeDefined();
});
