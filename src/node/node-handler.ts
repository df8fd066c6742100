import type { EventEmitter } from "node:events";
import { refuse } from "../base/reply.ts";
import { KitError } from "../contract/kit-error.ts";

/** The options of `getRequestListener` of `@hono/node-server`. */
interface Handler {
  handle(light: Request, connection: { readonly outgoing: EventEmitter }): Promise<Response>;
  errorHandler(error: unknown): Response;
}

const notHttp = () => refuse(400, "The HTTP request cannot be read.");
const FAILED = "The server could not handle the request. Its log says why.";

/** Adapts `fetch` to Node: standard requests, a check of the host, and a reply and a log line when it throws. */
export function createHandler(options: {
  fetch: (request: Request, connection: object) => Response | Promise<Response>;
  isAllowedHost: (hostname: string) => boolean;
  onError: (error: unknown) => void;
}): Handler {
  const { isAllowedHost, onError } = options;
  /** The signals of these requests abort only while the requests are referenced. */
  const open = new Set<Request>();
  let hasRefused = false;

  function refuseHost(hostname: string): Response {
    const detail = `This server does not answer for ${hostname}. If it should, add the name to allowedHosts of serve.`;
    // Logged once, because anybody can send such requests.
    if (!hasRefused) onError(new KitError(`elicit-kit: refused an HTTP request. ${detail}`));
    hasRefused = true;
    return refuse(403, detail);
  }

  return {
    async handle(light, connection) {
      const { hostname } = new URL(light.url);
      if (!isAllowedHost(hostname)) return refuseHost(hostname);
      const request = standardRequest(light);
      if (request === undefined) return notHttp();
      open.add(request);
      connection.outgoing.once("close", () => open.delete(request));
      return withSafeErrors(await options.fetch(request, connection), onError);
    },
    errorHandler(error) {
      // The adapter could not create a request from the received data.
      if (error instanceof Error && error.name === "RequestError") return notHttp();
      onError(error);
      return refuse(500, FAILED);
    },
  };
}

/**
 * A request that `new Request(request)` can copy. The adapter's own request is a lightweight object that only has the
 * same methods. `undefined`: no standard request can have this method, such as `TRACE`.
 */
function standardRequest(light: Request): Request | undefined {
  const { url, method, headers, signal } = light;
  try {
    const body = method === "GET" || method === "HEAD" ? null : light.body;
    return new Request(url, { method, headers, signal, body, ...(body !== null && { duplex: "half" }) });
  } catch {
    return undefined;
  }
}

/** Passes the body on. If a body fails, the adapter would print the error and might send it to the client. */
function withSafeErrors(response: Response, onError: (error: unknown) => void): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (isCancelled) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onError(error);
          controller.error(new KitError("elicit-kit: the body of a response failed."));
        }
      },
      cancel(reason) {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
