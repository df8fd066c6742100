import { expect, it, onTestFinished, vi } from "vitest";
import { urlRequest } from "../contract/testing/requests.ts";
import { createElicitationClient } from "./create-client.ts";
import { FakeBrowser } from "./popup/testing/fake-browser.ts";
import { FakeChannel } from "./testing/fake-channel.ts";

const PAGE = "https://auth.example.com/auth/connect";
const ANSWER = "https://auth.example.com/auth/answer";

it.each<[string, string, string, string, string]>([
  ["the language of the chat", PAGE, "de", "normal", "?lang=de"],
  ["the theme of the chat", PAGE, "", "dark", "?theme=dark"],
  ["a theme that the browser must not change", ANSWER, "", "only light", "?theme=light"],
  ["both, beside what the link says", `${PAGE}?elicitationId=a`, "pt-BR", "dark", "&lang=pt-BR&theme=dark"],
  ["no theme if the user's system decides", PAGE, "de", "light dark", "?lang=de"],
  ["no theme of a later standard", PAGE, "", "high-dark", ""],
  ["the look that the server has chosen", `${PAGE}?lang=fr&theme=light`, "de", "dark", ""],
  ["nothing of the chat for a page that may sign its link", `${PAGE}/github`, "de", "dark", ""],
  ["nothing of the chat for another page", "https://auth.example.com/x/auth/answer", "de", "dark", ""],
  ["nothing of the chat for another site", "https://other.example/auth/connect", "de", "dark", ""],
])("a page opens with %s", (_, url, lang, colorScheme, added) => {
  vi.stubGlobal("document", { documentElement: { lang } });
  vi.stubGlobal("getComputedStyle", () => ({ colorScheme }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const browser = new FakeBrowser();
  const client = createElicitationClient({
    channel: new FakeChannel(),
    storage: null,
    trustedOrigin: "https://auth.example.com",
    popupEnvironment: browser,
  });
  onTestFinished(() => client.dispose());
  client.receive("c1", urlRequest({ elicitationId: "a", url }));
  void client.connect("a");
  expect(browser.windows[0]?.visited).toEqual([url + added]);
});
