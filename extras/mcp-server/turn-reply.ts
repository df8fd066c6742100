import type { CallToolResult, ContentBlock, ServerContext } from "@modelcontextprotocol/server";
import {
  type TurnStreamEntry,
  discardedFrom,
  eventOf,
  withoutDiscarded,
} from "../../src/runtime/internal.ts";

/** The reply of a turn, built from its log. It contains only texts, files and the names of tools. */
export interface TurnReply {
  /** Adds the next entry. Returns the name of a tool if its call begins with the entry. */
  see(entry: TurnStreamEntry): string | undefined;
  /** Whether the turn was stopped. */
  readonly isStopped: boolean;
  /** The result of the call, once the turn has ended. */
  result(conversationId: string): CallToolResult;
}

const MAX_FILES = 32;

export function createTurnReply(): TurnReply {
  const entries: TurnStreamEntry[] = [];

  return {
    see(entry) {
      const { chunk } = entry;
      if (discardedFrom(entry) !== undefined || READ.has(chunk.type)) entries.push(entry);
      if (chunk.type !== "tool-input-available" || !("toolName" in chunk)) return undefined;
      return typeof chunk.toolName === "string" ? chunk.toolName : undefined;
    },
    get isStopped() {
      return withoutDiscarded(entries).some(({ chunk }) => chunk.type === "abort");
    },
    result(conversationId) {
      const { texts, files, error } = contentOf(withoutDiscarded(entries));
      const answer = texts.filter((text) => text !== "").join("\n\n");
      const said = error === undefined ? answer : [answer, error].filter((text) => text !== "").join("\n\n");
      return {
        content: [{ type: "text", text: said }, ...files],
        structuredContent: { conversationId, answer: said },
        ...(error !== undefined && { isError: true }),
      };
    },
  };
}

/** The types of chunks that become part of the result. */
const READ: ReadonlySet<string> = new Set(["text-start", "text-delta", "file", "error", "abort"]);

function contentOf(entries: readonly TurnStreamEntry[]) {
  const texts: string[] = [];
  const files: ContentBlock[] = [];
  let error: string | undefined;
  for (const entry of entries) {
    const event = eventOf(entry);
    if (event.kind === "text") texts[Math.max(0, texts.length - 1)] = `${texts.at(-1) ?? ""}${event.text}`;
    else if (event.kind === "error") error = event.text;
    if (event.kind !== "chunk") continue;
    const { chunk } = event;
    if (chunk.type === "text-start") texts.push("");
    if (chunk.type === "abort") error ??= "The turn was stopped.";
    if (chunk.type === "file") {
      const file = "url" in chunk && "mediaType" in chunk ? blockOf(chunk.url, chunk.mediaType) : undefined;
      if (file !== undefined && files.length < MAX_FILES) files.push(file);
    }
  }
  return { texts, files, error };
}

/** A file of the turn as a block of a result. `data:` URLs of images and audio are sent inline, other files as links. */
function blockOf(url: unknown, mediaType: unknown): ContentBlock | undefined {
  if (typeof url !== "string" || typeof mediaType !== "string") return undefined;
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (data === undefined) {
    return /^https?:/.test(url)
      ? { type: "resource_link", uri: url, name: nameOf(url), mimeType: mediaType }
      : undefined;
  }
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  if (mediaType.startsWith("audio/")) return { type: "audio", data, mimeType: mediaType };
  return { type: "resource", resource: { uri: "file:///attachment", blob: data, mimeType: mediaType } };
}

function nameOf(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split("/").at(-1) : "";
  return last === undefined || last === "" ? "file" : last;
}

/** Sends `notifications/progress`, if the client asked for progress. */
export function progressOf(
  { mcpReq }: ServerContext,
  onError: (error: unknown) => void,
): (message: string) => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(onError);
  };
}
