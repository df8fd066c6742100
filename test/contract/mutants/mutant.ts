import { createMockServer, type MockServer, type MockServerOptions } from "elicit-kit/mock-server";
import type { ConformanceHooks } from "elicit-kit/conformance";
import { isObject } from "../../../src/contract/json.ts";
import { contractAgent } from "../contract-agent.ts";
import { outsideHooks } from "../contract-options.ts";

export type Body = Readonly<Record<string, unknown>>;
export type Send = (request: Request) => Promise<Response>;

type Break = (request: Request, next: Send, server: MockServer) => Promise<Response>;

/** A server that breaks one rule. */
export interface Mutant {
  /** Its fault, for the title of the test. */
  readonly wrong: string;
  /** The cases that must fail. Others may fail as well. */
  readonly caughtBy: readonly string[];
  readonly agent?: Partial<MockServerOptions>;
  readonly hooks?: Partial<ConformanceHooks>;
  /** Changes the requests to the correct server and its replies. */
  readonly break?: Break;
}

export function startMutant(mutant: Mutant): {
  server: MockServer;
  fetch: typeof fetch;
  hooks: Partial<ConformanceHooks>;
} {
  const server = createMockServer({ ...contractAgent, ...mutant.agent });
  const next: Send = (request) => server.fetch(request);
  return {
    server,
    hooks: { ...outsideHooks(server), ...mutant.hooks },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return mutant.break === undefined ? next(request) : mutant.break(request, next, server);
    },
  };
}

const ANSWER = "/elicitation-responses";
export const isTo = (request: Request, path: string) => new URL(request.url).pathname.endsWith(path);
export const isStatus = ({ method, url }: Request) =>
  method === "GET" && /\/elicitations\/[^/]+$/.test(new URL(url).pathname);
export const isList = ({ method, url }: Request) =>
  method === "GET" && new URL(url).pathname.endsWith("/elicitations");
export const isAttach = ({ method, url }: Request) =>
  method === "GET" && new URL(url).pathname.endsWith("/stream");
export const isStop = (request: Request) => isTo(request, "/stop");
export const isCompletions = (request: Request) => isTo(request, "/chat/completions");
export const isChat = (request: Request) => request.method === "POST" && isTo(request, "/chat");

export async function bodyOf(source: Request | Response): Promise<Body> {
  const body: unknown = await source
    .clone()
    .json()
    .catch(() => ({}));
  return isObject(body) ? body : {};
}

export function withBody(request: Request, body: unknown): Request {
  return new Request(request.url, { method: "POST", headers: request.headers, body: JSON.stringify(body) });
}

export function withHeader(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers);
  headers.set(name, value);
  return new Request(request, { headers });
}

/** The response without a header, if `isIt`. */
export function withoutHeader(response: Response, isIt: boolean, name: string): Response {
  if (!isIt) return response;
  const headers = new Headers(response.headers);
  headers.delete(name);
  return new Response(response.body, { status: response.status, headers });
}

export function as(request: Request, person: string): Request {
  return withHeader(request, "authorization", `Bearer ${person}`);
}

export function listIn(body: Body, name: string): readonly Body[] {
  const list: readonly unknown[] = Array.isArray(body[name]) ? body[name] : [];
  return list.filter(isObject);
}

export function without(body: Body, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
}

export function json(status: number, body: unknown): Response {
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(body), { status, headers: { "content-type": type } });
}

/** Changes the JSON of replies. `undefined` leaves a reply as it is. */
export function onReply(change: (body: Body, response: Response, request: Request) => unknown): Break {
  return async (request, next) => {
    const [seen, response] = [request.clone(), await next(request)];
    if (!response.headers.get("content-type")?.includes("json")) return response;
    const changed = change(await bodyOf(response), response, seen);
    if (changed instanceof Response) return changed;
    return changed === undefined ? response : new Response(JSON.stringify(changed), response);
  };
}

/** Changes the body of answers to the answer route. */
export function onAnswer(change: (body: Body) => unknown): Break {
  return async (request, next) =>
    next(isTo(request, ANSWER) ? withBody(request, change(await bodyOf(request))) : request);
}

/** Changes the last message's parts of chat requests. */
export function onParts(change: (parts: readonly Body[]) => readonly unknown[]): Break {
  return async (request, next) => {
    if (!isChat(request)) return next(request);
    const body = await bodyOf(request);
    const [message] = listIn(body, "messages");
    const parts = change(listIn(message ?? {}, "parts"));
    return next(withBody(request, { ...body, messages: [{ ...message, parts }] }));
  };
}

/** Changes the raw events of streams. `undefined` drops one. */
export function onFrame(
  change: (frame: string) => string | readonly string[] | undefined,
  which = isChat,
): Break {
  return async (request, next) => {
    const isIt = which(request);
    const response = await next(request);
    const isStream = response.headers.get("content-type") === "text/event-stream";
    if (!isIt || !isStream || response.body === null) return response;
    let rest = "";
    const changed = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TransformStream<string, string>({
        transform(text, controller) {
          const frames = (rest + text).split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames)
            for (const each of [change(frame) ?? []].flat()) controller.enqueue(`${each}\n\n`);
        },
      }),
    );
    return new Response(changed.pipeThrough(new TextEncoderStream()), response);
  };
}

/** Changes chunks of streams. `undefined` drops one, a list replaces it with several. */
export function onChunk(
  change: (chunk: Body, index: number) => Body | readonly Body[] | undefined,
  which = isChat,
): Break {
  return (request, next, server) => {
    let index = 0;
    const changeFrame = (frame: string) => {
      if (!frame.startsWith("data: {")) return frame;
      const chunks = [change(parse(frame.slice(6)), index++) ?? []].flat();
      return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`);
    };
    return onFrame(changeFrame, which)(request, next, server);
  };
}

function parse(data: string): Body {
  const value: unknown = JSON.parse(data);
  return isObject(value) ? value : {};
}

export const dataOf = (chunk: Body): Body => (isObject(chunk["data"]) ? chunk["data"] : {});
export const isEnd = (chunk: Body) => "resolution" in dataOf(chunk);
export const isRequest = (chunk: Body) => chunk["type"] === "data-elicitation-request";

/** The agent of the contract, with other scripts for some messages. */
export function saying(
  scripts: Readonly<Record<string, ReturnType<typeof contractAgent.script>>>,
): Partial<MockServerOptions> {
  return { script: (said) => scripts[said] ?? contractAgent.script(said) };
}
