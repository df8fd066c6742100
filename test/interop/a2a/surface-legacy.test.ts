/** A client of protocol 0.3 that does not know 1.0: the older SDK. */
import type { Message, Task } from "@a2a-js/sdk-0.3";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk-0.3/client";
import { expect, test } from "vitest";
import { ELICITATION_EXTENSION, readQuestions, writeAnswers } from "../../../src/a2a/wire/translate.ts";
import { CITY, CONNECT, asking } from "../../stages/test-runtime.ts";
import { type Served, collect, serve } from "./served.ts";

async function olderClient(served: Served, isExtended = true): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", "Bearer ada");
    if (isExtended) headers.set("x-a2a-extensions", ELICITATION_EXTENSION);
    return served.fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
  return factory.createFromUrl("https://agent.example.com");
}

function message(text: string, more: Partial<Message> = {}): Message {
  return {
    kind: "message",
    messageId: crypto.randomUUID(),
    role: "user",
    parts: [{ kind: "text", text }],
    ...more,
  };
}

function taskOf(result: Message | Task): Task {
  if (result.kind !== "task") throw new Error("The agent answered with a message.");
  return result;
}

function textOf({ parts }: Pick<Message, "parts">): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

test("a client of protocol 0.3 reads the agent card, is asked with a form, and answers on the task", async () => {
  const served = serve(asking(CITY));
  const older = await olderClient(served);
  expect(await older.getAgentCard()).toMatchObject({
    protocolVersion: "0.3",
    preferredTransport: "JSONRPC",
    capabilities: { extensions: [{ uri: ELICITATION_EXTENSION }] },
    securitySchemes: { bearer: { type: "http", scheme: "Bearer" } },
  });
  const task = taskOf(await older.sendMessage({ message: message("Book") }));
  expect(task.status.state).toBe("input-required");
  const read = readQuestions("input-required", task.status.message);
  const [question] = read?.ok === true ? read.value : [];
  expect(question).toMatchObject({ mode: "form", requestedSchema: CITY.requestedSchema });
  const { text, ...payload } = writeAnswers([
    { elicitationId: question?.elicitationId ?? "", action: "accept", content: { city: "Rome" } },
  ]);
  const answer = message(text, { taskId: task.id, contextId: task.contextId, ...payload });
  const ended = taskOf(await older.sendMessage({ message: answer }));
  expect(ended.status.state).toBe("completed");
  expect(ended.artifacts?.map(textOf)).toEqual(['{"outcome":"accepted","content":{"city":"Rome"}}']);
  expect([...served.errors, ...served.runtime.errors]).toEqual([]);
});

test("a client of protocol 0.3 streams a task while the user is on a page, and gets the address of the page as text", async () => {
  const served = serve(asking(CONNECT));
  const older = await olderClient(served, false);
  const states: string[] = [];
  for await (const event of older.sendMessageStream({ message: message("Connect") })) {
    if (event.kind !== "status-update" && event.kind !== "task") continue;
    const { state, message: said } = event.status;
    states.push(state);
    if (state !== "auth-required") continue;
    expect(said?.metadata).toBeUndefined();
    const [link = ""] = /https:\S+/.exec(textOf(said ?? { parts: [] })) ?? [];
    await served.runtime.elicitations.complete(new URL(link).searchParams.get("elicitationId") ?? "");
  }
  expect(states).toEqual(["working", "auth-required", "working", "completed"]);
});

test("a client of protocol 0.3 reads in the last status of a stream that it is final, also when the task needs input", async () => {
  const served = serve(asking(CITY));
  const older = await olderClient(served);
  const finals = async (sent: Message) => {
    const events = await collect(older.sendMessageStream({ message: sent }));
    return events.flatMap((event) =>
      event.kind === "status-update" ? [[event.status.state, event.final] as const] : [],
    );
  };
  expect((await finals(message("Book"))).at(-1)).toEqual(["input-required", true]);
  const connecting = await olderClient(serve(asking(CONNECT)));
  for await (const event of connecting.sendMessageStream({ message: message("Connect") })) {
    if (event.kind !== "status-update" || event.status.state !== "auth-required") continue;
    expect(event.final).toBe(false);
    break;
  }
});

test("a client of protocol 0.3 cancels a task, and gets the errors of the protocol", async () => {
  const older = await olderClient(serve(asking(CITY)));
  const task = taskOf(await older.sendMessage({ message: message("Book") }));
  expect((await older.cancelTask({ id: task.id })).status.state).toBe("canceled");
  await expect(older.cancelTask({ id: task.id })).rejects.toThrow(/cannot be canceled/);
  await expect(older.getTask({ id: "unknown" })).rejects.toThrow(/not found/i);
  await expect(collect(older.resubscribeTask({ id: task.id }))).rejects.toThrow(/ended/);
});
