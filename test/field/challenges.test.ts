/** What MCP servers write into `WWW-Authenticate`. */
import { expect } from "vitest";
import { readChallenge } from "../../src/connect/oauth/challenge.ts";
import { fieldCase } from "./field-case.ts";

const PLACE = "https://mcp.example.com/.well-known/oauth-protected-resource";

fieldCase(
  {
    sources: [
      "modelcontextprotocol/python-sdk#3012",
      "AzureAD/azure-activedirectory-library-for-objc#1042",
      "MCPJam/inspector#3378",
    ],
    before: "passed",
  },
  "a Bearer challenge is found behind challenges of other schemes",
  async () => {
    for (const other of ['Basic realm="a, b"', 'DPoP algs="ES256 PS256"', "Negotiate"]) {
      expect(
        await readChallenge(`${other}, Bearer error="insufficient_scope", scope="files read"`),
      ).toMatchObject({
        error: "insufficient_scope",
        scopes: ["files", "read"],
      });
    }
  },
);

fieldCase(
  { sources: ["vouch-sh/vouch#244"], before: "failed" },
  "a bare Bearer with a comma before its address is read as one challenge",
  async () => {
    expect(await readChallenge(`Bearer, resource_metadata="${PLACE}"`)).toMatchObject({
      resourceMetadata: PLACE,
    });
  },
);

fieldCase(
  { sources: ["modelcontextprotocol/python-sdk#3041", "btsouth/toolport#598"], before: "passed" },
  "quotes and commas in one parameter do not end it, and spaces around the equals sign do no harm",
  async () => {
    expect(
      await readChallenge(`bearer realm="say \\"hi, there\\"" , resource_metadata = "${PLACE}"`),
    ).toMatchObject({
      resourceMetadata: PLACE,
    });
  },
);

fieldCase(
  { sources: ["getsentry/sentry-mcp#939"], before: "passed" },
  "a challenge that names two addresses still leads to a sign-in",
  async () => {
    const twice = `Bearer realm="OAuth", resource_metadata="${PLACE}", error="invalid_token", resource_metadata="${PLACE}/mcp"`;
    expect(await readChallenge(twice)).toMatchObject({ error: "invalid_token" });
  },
);
