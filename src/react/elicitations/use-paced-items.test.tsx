import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeferred } from "../../base/deadlines.ts";
import { CONVERSATION, createScript, type Script } from "../../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../contract/testing/requests.ts";
import { useElicitationList } from "../use-elicitation-list.ts";
import { Elicitations } from "./Elicitations.tsx";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** What a list of the app's own shows. */
function OwnList({ client }: Pick<Script, "client">) {
  const { elicitations } = useElicitationList({ client, conversationId: CONVERSATION });
  return <p data-testid="own">{elicitations.map(({ status }) => status).join(" ")}</p>;
}

/** Cards beside an app's own list. The server replies to answers when the returned function is called. */
async function show(): Promise<Script & { reply: () => Promise<void> }> {
  const replied = createDeferred<undefined>();
  const script = createScript({
    requests: [urlRequest()],
    respond: async (answers) => {
      await replied.promise;
      return answers.map(({ elicitationId }) => ({ elicitationId, kind: "settled", outcome: "declined" }));
    },
  });
  await act(async () =>
    render(
      <StrictMode>
        <Elicitations client={script.client} conversationId={CONVERSATION} />
        <OwnList client={script.client} />
      </StrictMode>,
    ),
  );
  return Object.assign(script, { reply: () => act(async () => replied.resolve(undefined)) });
}

const decline = () => act(async () => fireEvent.click(screen.getByRole("button", { name: "Decline" })));
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const card = () => document.querySelector<HTMLElement>("[data-elicitation]")!;
const own = () => screen.getByTestId("own").textContent;
const said = () => screen.getByRole("status").textContent;
const receipt = () => screen.queryByText("You declined");

describe("the cards after an answer", () => {
  it("show and announce that it is being sent only after 100 ms", async () => {
    await show();
    await decline();
    expect(own()).toBe("submitting");
    await pass(99);
    expect(card().getAttribute("aria-busy")).toBeNull();
    expect(said()).not.toContain("Sending");
    await pass(1);
    expect(card().getAttribute("aria-busy")).toBe("true");
    expect(said()).toContain("Sending");
  });

  it("show the receipt a moment after the reply, and do not change before", async () => {
    const { reply } = await show();
    const before = card().innerHTML;
    await decline();
    await reply();
    expect(own()).toBe("declined");
    await pass(59);
    expect(card().innerHTML).toBe(before);
    await pass(1);
    expect(receipt()).not.toBeNull();
    expect(said()).toContain("You declined.");
    expect(said()).not.toContain("Sending");
  });

  it("send no second answer while they still show the question", async () => {
    const script = await show();
    await decline();
    await decline();
    await script.reply();
    await decline();
    expect(script.sent).toHaveLength(1);
  });

  it("show the next question and the receipt together", async () => {
    const { reply, ask } = await show();
    await decline();
    await reply();
    expect(receipt()).toBeNull();
    await act(async () => ask(formRequest()));
    expect(receipt()).not.toBeNull();
    expect(screen.getByRole("heading", { name: "Where should the parcel go?" })).toBeDefined();
    expect(screen.queryByText(/^Question/)).toBeNull();
  });

  it("show at once that another tab has answered", async () => {
    const { ask } = await show();
    await act(async () =>
      ask(urlRequest({ resolution: { outcome: "declined", at: "2026-11-21T12:00:00Z" } })),
    );
    expect(receipt()).not.toBeNull();
  });
});
