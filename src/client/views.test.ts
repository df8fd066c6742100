import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createManualClock } from "../base/testing/manual-clock.ts";
import { formRequest } from "../contract/testing/requests.ts";
import { createElicitationClient } from "./create-client.ts";
import type { ElicitationClient } from "./elicitation.ts";
import { FakeChannel } from "./testing/fake-channel.ts";

const SECOND = 1_000;
const at = "2026-11-21T12:00:00Z";
const ended = formRequest({ resolution: { outcome: "declined", at } });
const shows = (conversationId: string) => (one: string) => one === conversationId;

beforeEach(() => {
  vi.stubGlobal("document", {});
  onTestFinished(() => void vi.unstubAllGlobals());
});

/** A page in development, and the conversations of its warnings. */
function setUp() {
  const warned: (string | undefined)[] = [];
  const warn = vi.spyOn(console, "warn").mockImplementation((text) => {
    warned.push(/^elicit-kit: .* conversation "(\w+)", and nothing on the page shows it/.exec(text)?.[1]);
  });
  onTestFinished(() => warn.mockRestore());
  const clock = createManualClock();
  const client = createElicitationClient({ channel: new FakeChannel(), clock, storage: null });
  onTestFinished(() => client.dispose());
  return { client, clock, warned };
}

describe("a developer", () => {
  it("reads that no view shows a request, once for each conversation", () => {
    const { client, clock, warned } = setUp();
    client.subscribe(() => undefined, shows("c2"));
    client.receive("c1", formRequest({ elicitationId: "a" }));
    client.receive("c2", formRequest({ elicitationId: "b" }));
    clock.advance(SECOND - 1);
    expect(warned).toEqual([]);
    clock.advance(1);
    expect(warned).toEqual(["c1"]);
    client.receive("c1", formRequest({ elicitationId: "c" }));
    client.receive("c3", formRequest({ elicitationId: "d" }));
    clock.advance(SECOND);
    expect(warned).toEqual(["c1", "c3"]);
  });

  it.each<[string, (client: ElicitationClient) => unknown]>([
    ["a view shows all conversations", (client) => client.subscribe(() => undefined)],
    [
      "a view shows the conversation for a moment",
      (client) => client.subscribe(() => undefined, shows("c1"))(),
    ],
    ["the request ends", (client) => client.receive("c1", ended)],
    ["the client is disposed of", (client) => client.dispose()],
  ])("reads no warning when %s in time", (_, happens) => {
    const { client, clock, warned } = setUp();
    client.receive("c1", formRequest());
    clock.advance(SECOND - 1);
    happens(client);
    clock.advance(SECOND);
    expect(warned).toEqual([]);
  });

  it.each<[string, () => void, typeof ended]>([
    ["a request of the history", () => undefined, ended],
    ["a page in production", () => void vi.stubEnv("NODE_ENV", "production"), formRequest()],
    ["a script without a page", () => void vi.unstubAllGlobals(), formRequest()],
    ["a page without a bundler", () => void vi.stubGlobal("process", undefined), formRequest()],
  ])("reads no warning for %s", (_, prepare, request) => {
    const { client, clock, warned } = setUp();
    onTestFinished(() => void vi.unstubAllEnvs());
    prepare();
    client.receive("c1", request);
    clock.advance(SECOND);
    expect(warned).toEqual([]);
  });

  it("reads a warning for a view that was removed before the request came", () => {
    const { client, clock, warned } = setUp();
    client.subscribe(() => undefined)();
    client.receive("c1", formRequest());
    clock.advance(SECOND);
    expect(warned).toEqual(["c1"]);
  });
});
