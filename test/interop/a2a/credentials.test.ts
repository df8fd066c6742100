import { type SecurityScheme, TaskState } from "@a2a-js/sdk";
import express, { type RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { CONTENT, FORM } from "../recorded/questions.ts";
import { type Script, serveAgent } from "./agents.ts";
import { BOOK, chatWith } from "./chat.ts";

const book: Script = (task) => {
  task.artifact("Booked");
  task.status(TaskState.TASK_STATE_COMPLETED);
};
const askThenBook: Script = (task) =>
  task.isNew ? task.ask([{ elicitationId: "f1", mode: "form", ...FORM }]) : book(task);

/** Refuses calls for which `refusal` returns a status and a challenge. The card is always served. */
const guarded =
  (refusal: (request: Parameters<RequestHandler>[0]) => [number, string] | undefined): RequestHandler =>
  (request, response, next) => {
    express.json()(request, response, () => {
      const refused = request.path.startsWith("/rpc") ? refusal(request) : undefined;
      if (refused === undefined) next();
      else response.status(refused[0]).set("www-authenticate", refused[1]).end();
    });
  };

describe("an agent that needs the user's credential", () => {
  test("may refuse it while a question is open: the user connects again, and the answer to the question is sent without asking again", async () => {
    const valid = new Set(["Bearer old-token-1234"]);
    const agent = await serveAgent(askThenBook, {
      streaming: false,
      intercept: guarded(({ headers }) =>
        valid.has(headers.authorization ?? "") ? undefined : [401, 'Bearer error="invalid_token"'],
      ),
    });
    const chat = chatWith(agent.url, BOOK, {
      credentialScope: "user",
      credential: { accessToken: "old-token-1234" },
    });
    const stream = await chat.send();
    const asked = await stream.request();
    valid.delete("Bearer old-token-1234");
    valid.add("Bearer new-token-1234");
    await chat.answer(stream, "accept", CONTENT);
    const connect = await stream.request(0, ({ mode }) => mode === "url");
    expect(connect.context).toMatchObject({ trigger: "credential_required" });
    await chat.credentials.set("travel", "ada", { accessToken: "new-token-1234" });
    await chat.runtime.elicitations.complete(connect.elicitationId);
    await stream.done;
    const cards = new Set(
      stream.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id),
    );
    expect([...cards]).toEqual([asked.elicitationId, connect.elicitationId]);
    expect(agent.messages).toHaveLength(2);
    expect(chat.results()).toContain("Booked");
    expect(agent.cancelled).toEqual([]);
  });

  test("may refuse it because of missing scopes: the user is asked for more, and the task continues", async () => {
    const scopes = new Map([["Bearer read-token-1234", "read"]]);
    const agent = await serveAgent(askThenBook, {
      streaming: false,
      intercept: guarded(({ headers, body }) => {
        const isAnswer = JSON.stringify(body ?? {}).includes("responses");
        const granted = scopes.get(headers.authorization ?? "");
        return isAnswer && granted === "read"
          ? [403, 'Bearer error="insufficient_scope", scope="book"']
          : undefined;
      }),
    });
    const chat = chatWith(agent.url, BOOK, {
      credentialScope: "user",
      credential: { accessToken: "read-token-1234", scope: "read" },
    });
    const stream = await chat.send();
    await chat.answer(stream, "accept", CONTENT);
    const connect = await stream.request(0, ({ mode }) => mode === "url");
    expect((await chat.runtime.elicitations.get(connect.elicitationId))?.signIn).toMatchObject({
      scope: "read book",
    });
    scopes.set("Bearer book-token-1234", "read book");
    await chat.credentials.set("travel", "ada", { accessToken: "book-token-1234", scope: "read book" });
    await chat.runtime.elicitations.complete(connect.elicitationId);
    await stream.done;
    expect(agent.messages).toHaveLength(2);
    expect(chat.results()).toContain("Booked");
  });

  test("gets an API key with each HTTP request", async () => {
    const sent = new Set<unknown>();
    const agent = await serveAgent(askThenBook, {
      intercept(request, _response, next) {
        sent.add(request.headers["x-api-key"]);
        next();
      },
    });
    const chat = chatWith(agent.url, BOOK, {
      credentialScope: "user",
      apiKey: { header: "x-api-key" },
      credential: { type: "api-key", accessToken: "key-12345678" },
    });
    const stream = await chat.send();
    await chat.answer(stream, "accept", CONTENT);
    await stream.done;
    expect([...sent]).toEqual(["key-12345678"]);
    expect(chat.results()).toContain("Booked");
  });

  test("gets an API key for which the user is asked before the first call", async () => {
    const agent = await serveAgent(book);
    const chat = chatWith(agent.url, BOOK, { credentialScope: "user", apiKey: { header: "x-api-key" } });
    const stream = await chat.send();
    expect(await stream.request()).toMatchObject({ context: { credentialType: "api-key" } });
    await chat.answer(stream, "decline");
    await stream.done;
    expect(agent.messages).toEqual([]);
  });
});

describe("the security in an agent card", () => {
  const scheme = (declared: NonNullable<SecurityScheme["scheme"]>, scopes: string[] = []) => ({
    securitySchemes: { main: { scheme: declared } },
    securityRequirements: [{ schemes: { main: { list: scopes } } }],
  });
  const oauth = {
    $case: "oauth2SecurityScheme" as const,
    value: { description: "", flows: undefined, oauth2MetadataUrl: "" },
  };

  const FORMS = [
    ["in the JSON of the protocol", false],
    ["as the SDK's server writes it", true],
  ] as const;

  test.each(FORMS)(
    "decides which scopes the user is asked to allow, if the refusal does not (%s)",
    async (_, sdkCard) => {
      for (const [challenge, scope] of [
        ["Bearer", "trips:read trips:book"],
        ['Bearer scope="trips:list"', "trips:list"],
      ] as const) {
        const agent = await serveAgent(book, {
          sdkCard,
          security: scheme(oauth, ["trips:read", "trips:book"]),
          intercept: guarded(() => [401, challenge]),
        });
        const chat = chatWith(agent.url, BOOK, { credentialScope: "user" });
        const stream = await chat.send();
        const { elicitationId } = await stream.request();
        expect((await chat.runtime.elicitations.get(elicitationId))?.signIn).toMatchObject({ scope });
        await chat.answer(stream, "decline");
        await stream.done;
      }
    },
  );

  test.each(FORMS)(
    "causes an error that tells the operator to configure where the key is sent, if it allows only a key (%s)",
    async (_, sdkCard) => {
      const agent = await serveAgent(book, {
        sdkCard,
        security: scheme({
          $case: "apiKeySecurityScheme",
          value: { description: "", location: "header", name: "x-trip-key" },
        }),
      });
      const chat = chatWith(agent.url, BOOK, { credentialScope: "user" });
      const stream = await chat.send();
      await stream.done;
      expect(agent.messages).toEqual([]);
      const said = stream.chunks.find(({ type }) => type === "tool-output-error");
      expect(said?.["errorText"]).toContain('Set `apiKey: { header: "x-trip-key" }` for this agent');
    },
  );

  test("is satisfied by a stored bearer token", async () => {
    const agent = await serveAgent(book, {
      security: scheme({
        $case: "httpAuthSecurityScheme",
        value: { description: "", scheme: "Bearer", bearerFormat: "" },
      }),
      intercept: guarded(({ headers }) =>
        headers.authorization === "Bearer good-token-1234" ? undefined : [401, "Bearer"],
      ),
    });
    const chat = chatWith(agent.url, BOOK, {
      credentialScope: "user",
      credential: { accessToken: "good-token-1234" },
    });
    const stream = await chat.send();
    await stream.done;
    expect(chat.results()).toContain("Booked");
  });
});
