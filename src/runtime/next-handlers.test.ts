import { expect, it } from "vitest";
import { toNextHandlers } from "./next-handlers.ts";

const request = () => new Request("https://chat.example.com/run/api/chat");

it("toNextHandlers passes every HTTP method on to the runtime", async () => {
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

it("toNextHandlers creates the runtime once, with the first HTTP request", async () => {
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

it("toNextHandlers waits for a runtime that is created asynchronously, and creates it again if that failed", async () => {
  let made = 0;
  const { GET } = toNextHandlers(async () => {
    made++;
    if (made === 1) throw new Error("no database");
    return { fetch: async () => new Response("ok") };
  });
  await expect(GET(request())).rejects.toThrow("no database");
  expect(await (await GET(request())).text()).toBe("ok");
  expect(await (await GET(request())).text()).toBe("ok");
  expect(made).toBe(2);
});
