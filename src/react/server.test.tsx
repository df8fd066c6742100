// @vitest-environment node
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CONVERSATION, createScript } from "../client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../contract/testing/requests.ts";
import { ElicitationPrompt } from "./elicitation-prompt/ElicitationPrompt.tsx";
import { ElicitationDialog } from "./elicitation-dialog/ElicitationDialog.tsx";
import { Elicitations } from "./elicitations/Elicitations.tsx";
import { createBinder } from "./bound-elicitation.ts";
import { useElicitationList } from "./use-elicitation-list.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation((...words: unknown[]) => {
    throw new Error(`React complains: ${words.join(" ")}`);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const { client } = createScript({ requests: [urlRequest(), formRequest()] });

it("the list of requests is empty when it is rendered on a server", () => {
  const List = () => (
    <ul>
      {useElicitationList({ client, conversationId: CONVERSATION }).elicitations.map(({ id }) => (
        <li key={id}>{id}</li>
      ))}
    </ul>
  );
  expect(renderToString(<List />)).toBe("<ul></ul>");
});

it("the components render only empty live regions on a server", () => {
  const list = '<div class="elicit-list"><output aria-live="polite"></output></div>';
  expect(renderToString(<Elicitations client={client} conversationId={CONVERSATION} />)).toBe(list);
  expect(renderToString(<ElicitationDialog client={client} />)).toBe('<output aria-live="polite"></output>');
});

it("cards that are rendered on a server have no style attribute, which `style-src 'self'` would forbid", () => {
  const bind = createBinder(client);
  const html = client
    .getSnapshot()
    .items.map((item) => renderToString(<ElicitationPrompt elicitation={bind(item)} />))
    .join("");
  expect(html).toContain("Connect your account");
  expect(html).toContain("Where should the parcel go?");
  expect(html).not.toMatch(/ style=/);
});
