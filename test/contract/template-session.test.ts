import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** What `templates/next/agent/session.ts` exports. Its project has Next.js, and this one has not. */
interface Session {
  userOf(request: Request): { id: string; name: string } | undefined;
  signIn(name: string): Promise<boolean>;
  isSignedIn(): Promise<boolean>;
}

const browser = vi.hoisted(() => ({ cookie: "", address: "" }));
vi.mock("next/headers", () => ({
  cookies: async () => ({
    set: (_name: string, value: string) => (browser.cookie = value),
    get: () => ({ value: browser.cookie }),
  }),
  headers: async () => new Headers({ "x-forwarded-for": `made-up, ${browser.address}` }),
}));

const FILE: string = "../../templates/next/agent/session.ts";
const { userOf, signIn, isSignedIn }: Session = await import(FILE);

beforeEach(() => {
  vi.stubEnv("ANSWER_KEY", "a key");
  browser.cookie = "";
});

afterEach(() => void vi.unstubAllEnvs());

const userWith = (cookie: string) =>
  userOf(new Request("https://chat.example.com", { headers: { cookie: `other=1; session=${cookie}` } }));

test("only a cookie that the template has signed names a user", async () => {
  browser.address = "192.0.2.1";
  expect(await isSignedIn()).toBe(false);
  expect(await signIn("Ada")).toBe(true);
  const user = userWith(browser.cookie);
  expect([user?.name, await isSignedIn()]).toEqual(["Ada", true]);
  const [id = "", until = "", name = "", mac = ""] = browser.cookie.split(".");
  const made = [
    "mine.QWRh",
    `${id}.${until}.${name}`,
    `${id}.${until}.${name}.${"A".repeat(43)}`,
    `${id.replace(/./, "0")}.${until}.${name}.${mac}x`,
    `${crypto.randomUUID()}.${until}.${name}.${mac}`,
    `${id}.${Number(until) + 1}.${name}.${mac}`,
  ];
  for (const cookie of made) expect(userWith(cookie)).toBeUndefined();
  vi.stubEnv("ANSWER_KEY", "another key");
  expect(userWith(browser.cookie)).toBeUndefined();
});

test("an address gets at most twenty users an hour, and other addresses still enter", async () => {
  browser.address = "192.0.2.2";
  const entered: boolean[] = [];
  for (let count = 0; count < 21; count += 1) entered.push(await signIn("Mallory"));
  expect(entered.filter(Boolean)).toHaveLength(20);
  browser.address = "192.0.2.3";
  expect(await signIn("Ada")).toBe(true);
});
