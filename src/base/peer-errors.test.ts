import { expect, test, vi } from "vitest";
import { ForeignError } from "./foreign-error.ts";
import { createPeerErrors } from "./peer-errors.ts";

class ProtocolError extends Error {}

function errors() {
  const onError = vi.fn();
  const peer = createPeerErrors({
    isOfProtocol: (error) => error instanceof ProtocolError,
    internal: () => new ProtocolError("The agent failed."),
    onError,
  });
  return { peer, onError };
}

test("a protocol error reaches the peer unchanged, and is not reported to the operator", async () => {
  const { peer, onError } = errors();
  const error = new ProtocolError("message is missing.");
  await expect(peer.guard(() => Promise.reject(error))).rejects.toBe(error);
  expect(onError).not.toHaveBeenCalled();
});

test("for any other error the peer gets a fixed text, and the log does not contain the message of the error", async () => {
  const { peer, onError } = errors();
  const fail = () => {
    throw new Error("could not connect to postgres://agent:hunter2@db");
  };
  const seen: unknown = await peer.guard(fail).catch((error: unknown) => error);
  expect(seen).toEqual(new ProtocolError("The agent failed."));
  const [logged] = onError.mock.calls[0] ?? [];
  expect(logged).toBeInstanceOf(ForeignError);
  expect(String(logged)).not.toContain("hunter2");
});

test("a result reaches the peer unchanged", async () => {
  const { peer } = errors();
  expect(await peer.guard(async () => 7)).toBe(7);
});
