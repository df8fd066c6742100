import { expect, it } from "vitest";
import { toNextHandlers } from "./next-handlers.ts";

const request = () => new Request("https://chat.example.com/run/api/chat");

it("passes every method on to the runtime", async () => {
  const seen: string[] = [];
  const runtime = {
    async fetch(sent: Request) {
      seen.push(sent.url);
      return new Response("ok");
    },
  };
  const { GET, POST, OPTIONS } = toNextHandlers(runtime);
  for (const handle of [GET, POST, OPTIONS]) expect(await (await handle(request())).text()).toBe("ok");
  expect(seen).toHaveLength(3);
});

it("makes the runtime with the first request, once", async () => {
  let made = 0;
  const { GET, POST } = toNextHandlers(() => {
    made++;
    return { fetch: async () => new Response("ok") };
  });
  expect(made).toBe(0);
  await GET(request());
  await POST(request());
  expect(made).toBe(1);
});
