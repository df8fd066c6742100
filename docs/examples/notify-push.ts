import { en } from "elicit-kit/catalogues/en";
import { createGuardedFetch } from "elicit-kit/node";
import type { WaitingNotice } from "elicit-kit/runtime";
import webPush, { type PushSubscription } from "web-push";

export interface PushNoticesOptions {
  /**
   * Generate the keys once with `npx web-push generate-vapid-keys`. `subject` identifies the sender: `mailto:` or https:.
   */
  vapid: { subject: string; publicKey: string; privateKey: string };
  /** The subscriptions that browsers have sent to `/push-subscriptions`, by user. */
  subscriptions: {
    of(userId: string): Promise<readonly PushSubscription[]>;
    remove(userId: string, endpoint: string): Promise<void>;
  };
  /** The URL of the inbox, for several requests and for requests without a link. */
  inboxUrl: string;
  /** The browser provides the URL, so only public addresses are called. @default createGuardedFetch() */
  fetch?: typeof globalThis.fetch;
}

/** `onWaiting` by Web Push, to all browsers of the user. */
export function createPushNotices(options: PushNoticesOptions) {
  const { vapid, subscriptions, inboxUrl, fetch = createGuardedFetch() } = options;

  async function send(userId: string, subscription: PushSubscription, payload: string, signal: AbortSignal) {
    const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, payload, {
      vapidDetails: vapid,
      contentEncoding: "aes128gcm",
      TTL: 24 * 60 * 60,
    });
    const response = await fetch(endpoint, { method: "POST", headers, body: new Uint8Array(body), signal });
    await response.body?.cancel();
    // The user has revoked the permission, or the subscription no longer exists.
    if (response.status === 404 || response.status === 410) return subscriptions.remove(userId, endpoint);
    if (!response.ok) throw new Error(`the push service answered with status ${response.status}`);
  }

  return async (
    { id, user, requests, more }: WaitingNotice,
    { signal }: { signal: AbortSignal },
  ): Promise<void> => {
    const [first] = requests;
    const isOne = first !== undefined && requests.length === 1;
    const title = isOne
      ? en.title(first.kind, first.service)
      : `${requests.length + more} questions wait for you`;
    const payload = JSON.stringify({ id, title, link: (isOne && first.link) || inboxUrl });
    const found = await subscriptions.of(user.id);
    // If one of them fails, all are called again: the worker shows each id only once.
    await Promise.all(found.map((subscription) => send(user.id, subscription, payload, signal)));
  };
}
