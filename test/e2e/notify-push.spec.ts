import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { createRuntime } from "elicit-kit/runtime";
import { createGuardedFetch, serve } from "elicit-kit/node";
import { build } from "esbuild";
import webPush, { type PushSubscription } from "web-push";
import { createPushNotices } from "../../docs/examples/notify-push.ts";
import { freePort } from "../stages/listen.ts";
import { startPushService } from "../stages/push-service.ts";

const example = (name: string) => new URL(`../../docs/examples/${name}`, import.meta.url);

/** A chat with the files of the guide. */
async function startApp() {
  const keys = webPush.generateVAPIDKeys();
  const service = await startPushService(keys.publicKey);
  const subscriptions: PushSubscription[] = [];
  const errors: unknown[] = [];
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const runtime = createRuntime({
    authenticate: () => ({ id: "ada" }),
    allowedOrigins: [origin],
    hostedPage: { origin },
    notices: {
      afterMs: 200,
      onWaiting: createPushNotices({
        vapid: { subject: "mailto:ops@example.com", ...keys },
        subscriptions: { of: async () => subscriptions, remove: async () => {} },
        inboxUrl: `${origin}/inbox`,
        fetch: createGuardedFetch({ allowLoopback: true }),
      }),
    },
    onError: (error) => errors.push(error),
    async *runTurn(turn) {
      const { outcome } = await turn.ask({
        mode: "form",
        message: "Where to?",
        tool: { id: "trip", name: "plan_trip" },
        requestedSchema: { type: "object", properties: { city: { type: "string" } } },
      });
      yield { type: "text-start", id: "1" };
      yield { type: "text-delta", id: "1", delta: outcome };
      yield { type: "text-end", id: "1" };
    },
  });
  const { outputFiles } = await build({
    stdin: {
      contents: `import { subscribeToPush } from "./notify-push-page.ts"; window.subscribeToPush = subscribeToPush;`,
      resolveDir: example(".").pathname,
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  const scripts: Readonly<Record<string, string>> = {
    "/page.js": outputFiles[0]?.text ?? "",
    "/push-worker.js": readFileSync(example("notify-push-worker.mjs"), "utf8"),
  };
  const html = (body: string) =>
    new Response(`<!doctype html><title>Chat</title>${body}`, { headers: { "content-type": "text/html" } });
  const { close } = await serve({
    hostname: "localhost",
    port,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/run/")) return runtime.fetch(request);
      const script = scripts[pathname];
      if (script !== undefined)
        return new Response(script, { headers: { "content-type": "text/javascript" } });
      if (pathname === "/push-subscriptions") {
        subscriptions.push((await request.json()) as PushSubscription);
        return new Response(null, { status: 204 });
      }
      if (pathname === "/auth/answer") return html("<h1>Your answer is needed</h1>");
      const call = `subscribeToPush("${keys.publicKey}").then((done) => (document.title = String(done)))`;
      return html(
        `<script type="module" src="/page.js"></script><button onclick='${call}'>Notify me</button>`,
      );
    },
  });
  return {
    origin,
    service,
    errors,
    async close() {
      await runtime.close();
      await Promise.all([close(), service.close()]);
    },
  };
}

test(
  "a push about an open question becomes a notification, and a click on the notification opens the link",
  { tag: "@long" },
  async ({ page, context }) => {
    const app = await startApp();
    await context.grantPermissions(["notifications"], { origin: app.origin });
    // Chromium would register at Google's service. The test replaces that, with a known key pair.
    await page.addInitScript((subscription) => {
      PushManager.prototype.subscribe = async function subscribe(options) {
        if (options?.userVisibleOnly !== true) throw new Error("a push must be shown to the user");
        const kept = { ...subscription, toJSON: () => subscription };
        return Object.setPrototypeOf(kept, PushSubscription.prototype);
      };
    }, app.service.subscribe());
    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        for (const { registrationId, scopeURL } of registrations) {
          if (scopeURL.startsWith(app.origin)) resolve(registrationId);
        }
      });
    });
    await devtools.send("ServiceWorker.enable");
    await page.goto(app.origin);
    await page.getByRole("button", { name: "Notify me" }).click();
    await expect(page).toHaveTitle("true");

    // A question is asked, and its reader leaves.
    const asked = await fetch(`${app.origin}/run/api/chat`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: app.origin, "x-supports-elicitation": "true" },
      body: JSON.stringify({
        id: "c1",
        trigger: "submit-message",
        messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Plan a trip" }] }],
      }),
    });
    let read = "";
    for await (const chunk of asked.body ?? []) {
      read += Buffer.from(chunk).toString();
      if (read.includes("data-elicitation-request")) break;
    }
    expect(read).toContain("data-elicitation-request");
    await expect.poll(() => app.service.messages.length).toBe(1);
    const data = app.service.messages[0]?.payload ?? "";
    await devtools.send("ServiceWorker.deliverPushMessage", {
      origin: app.origin,
      registrationId: await registered,
      data,
    });

    const shown = () =>
      page.evaluate(async () => {
        const { getNotifications } = await navigator.serviceWorker.ready.then((registration) => ({
          getNotifications: () => registration.getNotifications(),
        }));
        return (await getNotifications()).map(({ title, tag }) => ({ title, tag }));
      });
    const { id, link } = JSON.parse(data) as { id: string; link: string };
    await expect.poll(shown).toEqual([{ title: "Your answer is needed", tag: id }]);
    expect(link).toContain(`${app.origin}/auth/answer?elicitationId=`);

    // The notice is sent again, because its process died: there is still one notification.
    await devtools.send("ServiceWorker.deliverPushMessage", {
      origin: app.origin,
      registrationId: await registered,
      data,
    });
    await expect.poll(shown).toEqual([{ title: "Your answer is needed", tag: id }]);

    // No protocol can click a notification, and Chromium opens no window without a real click, so the test reads the URL
    // that would open.
    const [worker] = context.serviceWorkers();
    const opened = await worker?.evaluate(async () => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration;
        clients: { openWindow: (url: string) => Promise<null> };
        NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
      };
      const urls: string[] = [];
      scope.clients.openWindow = async (url) => {
        urls.push(url);
        return null;
      };
      for (const notification of await scope.registration.getNotifications()) {
        globalThis.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
      }
      return urls;
    });
    expect(opened).toEqual([link]);
    await expect.poll(shown).toEqual([]);
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Your answer is needed" })).toBeVisible();
    await app.close();
    expect(app.errors).toEqual([]);
  },
);
