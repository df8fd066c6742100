import type { SlackPlace } from "../people/place.ts";
import type { SlackClient } from "../wire/web-client.ts";

/** The status of an agent's session in a thread. While it is `processing`, Slack shows a stop button. */
export interface SessionStatus {
  set(status: "processing" | "suspended"): void;
  /** Ends the status. Resolves when Slack has confirmed it. */
  end(): Promise<void>;
}

/** Maintains the status of a thread. It is only cosmetic, so it is dropped after a refusal. */
export function createSessionStatus(options: {
  client: SlackClient;
  place: SlackPlace;
  isOn: boolean;
  onError: (error: unknown) => void;
}): SessionStatus {
  const { client, place, onError } = options;
  let { isOn } = options;
  let last = "";
  let queue = Promise.resolve();

  function set(status: "processing" | "suspended" | "active"): Promise<void> {
    if (!isOn || status === last) return queue;
    last = status;
    const args = { channel_id: place.channel, thread_ts: place.thread, status };
    queue = send(queue, args);
    return queue;
  }

  async function send(before: Promise<void>, args: Readonly<Record<string, string>>): Promise<void> {
    await before;
    if (!isOn) return;
    try {
      await client.call("agents.sessions.setStatus", args);
    } catch (error) {
      isOn = false;
      onError(error);
    }
  }

  return { set: (status) => void set(status), end: () => set("active") };
}
