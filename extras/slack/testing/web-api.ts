import { isObject } from "../../../src/contract/json.ts";
import { conversationMethods } from "./conversation-methods.ts";
import { messageMethods } from "./message-methods.ts";
import { type Method, type Methods, refused, text } from "./method.ts";
import type { FakeState, JsonObject } from "./state.ts";
import { streamMethods } from "./stream-methods.ts";
import { viewMethods } from "./view-methods.ts";

const METHODS: Methods = { ...messageMethods, ...streamMethods, ...viewMethods, ...conversationMethods };
const MINUTE_MS = 60_000;

/** Slack's Web API as a `fetch`: pass it to a client, or serve it. Like Slack, it accepts JSON and forms. */
export function createWebApi(
  state: FakeState,
  enforceRateLimits: boolean,
): (request: Request) => Promise<Response> {
  const recent = new Map<string, number[]>();

  /** Seconds to wait, if the method was called too often. */
  function waitFor(name: string, method: Method, args: JsonObject): number | undefined {
    if (!enforceRateLimits) return undefined;
    const key = name === "chat.postMessage" ? `${name} ${String(args["channel"])}` : name;
    const now = state.clock.now();
    const calls = (recent.get(key) ?? []).filter((at) => at > now - MINUTE_MS);
    recent.set(key, calls);
    if (calls.length < method.perMinute) {
      calls.push(now);
      return undefined;
    }
    return Math.max(1, Math.ceil(((calls[0] ?? now) + MINUTE_MS - now) / 1000));
  }

  function answer(name: string, args: JsonObject, token: string | undefined): JsonObject | Response {
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method === undefined) return refused("unknown_method", { req_method: name });
    if (token === undefined) return refused("not_authed");
    if (token !== state.workspace.token)
      return refused(state.expiredTokens.has(token) ? "token_expired" : "invalid_auth");
    if (method.scopes.length > 0 && !method.scopes.some((scope) => state.scopes.has(scope))) {
      return refused("missing_scope", {
        needed: method.scopes.join(","),
        provided: [...state.scopes].join(","),
      });
    }
    const disturbance = state.disturbances.find((one) => one.method === name && one.times > 0);
    if (disturbance !== undefined) {
      disturbance.times -= 1;
      return disturbance.reply();
    }
    const wait = waitFor(name, method, args);
    return wait === undefined ? method.run(state, args) : rateLimited(wait);
  }

  return async (request) => {
    const name = new URL(request.url).pathname.replace(/^\/api\//, "").replace(/^\//, "");
    const args = await readArgs(request);
    const token =
      /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? text(args["token"]);
    const { token: _token, ...rest } = args;
    const reply = answer(name, rest, token);
    const sent = reply instanceof Response ? reply : Response.json(reply);
    const kept: unknown = reply instanceof Response ? { ok: false, status: reply.status } : reply;
    state.calls.push({ method: name, args: rest, reply: isObject(kept) ? kept : {}, at: state.clock.now() });
    if (isObject(kept) && kept["ok"] === true) state.changed();
    return sent;
  };
}

export function rateLimited(retryAfter: number): Response {
  const headers = { "retry-after": String(retryAfter) };
  return Response.json({ ok: false, error: "ratelimited" }, { status: 429, headers });
}

/** Arguments from JSON, a query or a form. In forms, lists and objects are JSON strings, and booleans are words. */
async function readArgs(request: Request): Promise<JsonObject> {
  const body = await request.text();
  if (request.headers.get("content-type")?.startsWith("application/json") === true) {
    const parsed: unknown = JSON.parse(body === "" ? "{}" : body);
    return isObject(parsed) ? parsed : {};
  }
  const pairs = [...new URL(request.url).searchParams, ...new URLSearchParams(body)];
  return Object.fromEntries(pairs.map(([name, value]) => [name, fromForm(name, value)]));
}

const STRUCTURED = new Set(["blocks", "view", "metadata", "attachments", "chunks"]);

function fromForm(name: string, value: string): unknown {
  if (value === "true" || value === "false") return value === "true";
  if (!STRUCTURED.has(name)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    return value;
  }
}
