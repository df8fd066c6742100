import { describe, expect, test } from "vitest";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import type { McpRevision } from "../../src/mcp/wire/translate.ts";
import { type Presenting, clientModes, inputRequestOf, presentTo } from "./presentation.ts";

const FORM: ElicitationRequest = {
  type: "elicitation-request",
  elicitationId: "e1",
  mode: "form",
  message: "Where to?",
  requestedSchema: { type: "object", properties: { city: { type: "string" } } },
};
const PAGE: ElicitationRequest = {
  type: "elicitation-request",
  elicitationId: "e2",
  mode: "url",
  message: "Connect",
  url: "https://auth.example.com/x",
};
const LINK = "https://auth.example.com/auth/answer?elicitationId=e1";
const present = (
  request: ElicitationRequest,
  { link, ...client }: Presenting & { link: string | undefined },
) => presentTo(client, request, link);
const modes = (elicitation: unknown, revision: McpRevision = "2025-11-25") =>
  clientModes({ elicitation }, revision);

test.each([
  [undefined, { declared: false, form: false, url: false }],
  [null, { declared: false, form: false, url: false }],
  [{}, { declared: true, form: true, url: false }],
  [{ applyDefaults: true }, { declared: true, form: true, url: false }],
  [{ form: {} }, { declared: true, form: true, url: false }],
  [{ url: {} }, { declared: true, form: false, url: true }],
  [
    { form: {}, url: {} },
    { declared: true, form: true, url: true },
  ],
  [{ url: true }, { declared: true, form: true, url: false }],
])("a client that declares %j supports %j", (declared, read) => {
  expect(modes(declared)).toEqual(read);
});

test.each([[{ url: {} }], [{ form: {}, url: {} }]])(
  "a client of MCP 2025-06-18, which has no URL requests, supports only forms, whatever it declares: %j",
  (declared) => {
    expect(modes(declared, "2025-06-18")).toEqual({ declared: true, form: true, url: false });
  },
);

describe("a form", () => {
  test("is sent as a form to a client that shows forms, with the note after its message", () => {
    const progress = { status: "pending", lastError: "Please check." } as const;
    const how = present({ ...FORM, progress }, { modes: modes({}), revision: "2025-11-25", link: LINK });
    expect(how).toMatchObject({
      by: "elicitation",
      as: "form",
      params: { mode: "form", message: "Where to?\n\nPlease check." },
    });
  });

  test("is sent as a link to the answer page to a client that only opens pages", () => {
    const how = present(FORM, { modes: modes({ url: {} }), revision: "2025-11-25", link: LINK });
    expect(how).toEqual({
      by: "elicitation",
      as: "page",
      params: { mode: "url", message: "Where to?", url: LINK, elicitationId: "e1" },
    });
  });

  test("is a link in the result for a client without elicitation, and is not asked if there is no answer page", () => {
    const asked = { modes: modes(undefined), revision: "2025-11-25" } as const;
    expect(present(FORM, { ...asked, link: LINK })).toEqual({ by: "text", url: LINK });
    expect(present(FORM, { ...asked, link: undefined })).toEqual({
      by: "nothing",
      reason: expect.stringContaining('"form"'),
    });
  });

  test("becomes a link in MCP 2025-06-18 when it has a multi-select, which that revision lacks", () => {
    const tags = { type: "array", items: { type: "string", enum: ["a", "b"] } };
    const request = { ...FORM, requestedSchema: { type: "object", properties: { tags } } } as const;
    const asked = { modes: modes({}), revision: "2025-06-18" } as const;
    expect(present(request, { ...asked, link: LINK })).toEqual({ by: "text", url: LINK });
  });
});

describe("a page", () => {
  test("has an id only in MCP 2025-11-25", () => {
    const asked = { modes: modes({ url: {} }), link: undefined };
    expect(present(PAGE, { ...asked, revision: "2025-11-25" })).toMatchObject({
      params: { elicitationId: "e2" },
    });
    const how = present(PAGE, { ...asked, revision: "2026-07-28" });
    expect(inputRequestOf(how)).toEqual({
      method: "elicitation/create",
      params: { mode: "url", message: "Connect", url: PAGE.url },
    });
  });

  test("is a link in the result for a client that only shows forms, when the operator has an answer page", () => {
    const asked = { modes: modes({}), revision: "2025-11-25" } as const;
    expect(present(PAGE, { ...asked, link: LINK })).toEqual({ by: "text", url: PAGE.url });
    expect(present(PAGE, { ...asked, link: undefined })).toEqual({
      by: "nothing",
      reason: expect.stringContaining('"url"'),
    });
  });
});
