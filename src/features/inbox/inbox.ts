import { isId } from "../../base/ids.ts";
import type { HonoRequest } from "hono";
import { createDeferred } from "../../base/deadlines.ts";
import { type EventSink, dataFrame, eventReply, sendEvents } from "../../base/event-stream.ts";
import type { Sender, User } from "../../base/identity.ts";
import { emptyReply, jsonReply, refuse } from "../../base/reply.ts";
import type { StoreParts } from "../../runtime/http/feature.ts";
import type { InboxFeature, RouteContext } from "../../runtime/http/route-context.ts";
import { type OpenList, createOpenList } from "./open-list.ts";

/** Lists open requests. `undefined` if the records cannot list those of a user. */
export function inboxFor(parts: StoreParts): InboxFeature | undefined {
  const list = createOpenList(parts);
  return list && { reply: (context, reader, request) => inboxReply(list, context, reader, request) };
}

/** One page, or a stream of the first page. */
async function inboxReply(
  list: OpenList,
  context: RouteContext,
  reader: Sender & { user: User },
  request: HonoRequest,
): Promise<Response> {
  const after = request.query("after");
  if (request.header("accept")?.toLowerCase().includes("text/event-stream") === true) {
    if (after !== undefined) return refuse(400, "A stream begins with the first page. Leave `after` out.");
    // The body of a HEAD reply is not read, so a stream would stay open.
    if (request.method === "HEAD") return emptyReply(200);
    return context.admission.refuseStream(request.raw) ?? streamInbox(context, list, reader, request.raw);
  }
  const page = after === undefined || isId(after) ? await list.readerFor(reader.user.id)(after) : undefined;
  return page === undefined
    ? refuse(400, "`after` must be `next` of a page of this list. Begin with the first page again.")
    : jsonReply(200, page);
}

/** Sends the first page, and sends it again whenever it has changed. */
async function streamInbox(
  { replies, showing, streamTimes: { keepAliveMs, maxStreamMs }, clock, closing, authenticate }: RouteContext,
  list: OpenList,
  reader: Sender & { user: User },
  request: Request,
): Promise<Response> {
  const leave = replies.enter(reader);
  if (leave instanceof Response) return leave;
  const { id } = reader.user;
  const readPage = list.readerFor(id);
  let changed = createDeferred<void>();
  let sent = "";
  let cancelTimer: (() => void) | undefined;
  let ignoreClosing: (() => void) | undefined;
  changed.resolve();
  const listening = list.onChange(id, () => changed.resolve());
  listening.catch(leave);
  const stop = await listening;
  const hide = showing?.user(id);

  /** Waits until the page differs from the one that was sent. */
  async function writeNext(sink: EventSink): Promise<void> {
    for (;;) {
      await changed.promise;
      // The stream may be open for days, and the session of its user may have ended.
      if (sent !== "" && (await authenticate(request))?.id !== id) return sink.end();
      // Subscribe before the read, so that a change during the read causes another read.
      changed = createDeferred();
      const frame = dataFrame(await readPage());
      if (frame === sent) continue;
      sent = frame;
      sink.write(frame);
      // The client opens the stream again, and then reaches another process.
      if (closing.aborted) sink.end();
      return;
    }
  }

  const body = sendEvents(
    {
      start(sink) {
        const end = (): void => sink.end();
        if (maxStreamMs !== undefined) cancelTimer = clock.after(maxStreamMs, end);
        closing.addEventListener("abort", end);
        ignoreClosing = () => closing.removeEventListener("abort", end);
      },
      pull: writeNext,
      leave() {},
      close() {
        cancelTimer?.();
        ignoreClosing?.();
        stop();
        hide?.();
        leave();
      },
    },
    { clock, everyMs: keepAliveMs },
  );
  return eventReply(body);
}
