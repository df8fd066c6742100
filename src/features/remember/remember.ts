import type { Hono } from "hono/tiny";
import { canonical, sha256Hex } from "../../base/canonical.ts";
import type { Clock } from "../../base/clock.ts";
import { isStoreAway } from "../../base/foreign-error.ts";
import { jsonReply } from "../../base/reply.ts";
import type { ElicitationContent, ElicitationRequest } from "../../contract/contract.ts";
import { reviewOf } from "../../contract/review.ts";
import { type Field, parseRequestedSchema } from "../../form/index.ts";
import { readWrite } from "../../runtime/http/answer-routes.ts";
import type { RememberFeature, StoreParts } from "../../runtime/http/feature.ts";
import type { RouteContext } from "../../runtime/http/route-context.ts";
import type { ElicitationRecord, ElicitationRecords } from "../../runtime/ports/index.ts";
import type { RememberedAnswer, RememberedAnswers } from "../../runtime/ports/remembered.ts";
import { REMEMBERED_DAYS, type Remembering } from "../../runtime/request/features/remembering.ts";
import { createMemoryRemembered } from "./memory-remembered.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The port of remembered answers. */
export interface RememberPorts {
  /**
   * Stores remembered answers.
   * @default in memory if `records` are; otherwise answers are not remembered, and no question offers it
   */
  remembered?: RememberedAnswers | undefined;
}

/** Lets users have their answers used again. `undefined` without a store for them. */
export function rememberFor(
  { remembered }: RememberPorts,
  { records, isInMemory, clock, onError }: StoreParts,
): RememberFeature | undefined {
  // Not in the memory of one process, because an answer there would survive its removal in another process.
  const store = remembered ?? (isInMemory ? createMemoryRemembered() : undefined);
  if (store === undefined) return undefined;
  const remembering = createRemembering(store, records, clock, onError);
  return { ...remembering, addRoutes: (app, context) => addForgetRoute(app, context, remembering) };
}

function createRemembering(
  store: RememberedAnswers,
  records: Pick<ElicitationRecords, "compareAndSet">,
  clock: Clock,
  onError: (error: unknown) => void,
): Remembering {
  async function list(userId: string): Promise<readonly RememberedAnswer[]> {
    const now = clock.now();
    return (await store.list(userId)).filter(({ expiresAt }) => now < expiresAt);
  }

  return {
    list,
    remove: (userId, key) => store.remove(userId, key),
    async find(record) {
      const key = await keyOf(record);
      if (key === undefined) return undefined;
      const found = (await list(record.user.id)).find((answer) => answer.key === key);
      const isAllowed = found !== undefined && record.request.remember?.scope !== undefined;
      return isAllowed ? { ...found, content: defaultsOf(record.request) } : found;
    },
    async end(next, settlement) {
      const answer = await answerOf(next, settlement.content ?? {}, clock.now());
      const forgotten = () => records.compareAndSet({ ...next, remembered: undefined }, settlement);
      if (answer === undefined) return forgotten();
      if (store.end === undefined) {
        const isEnded = await records.compareAndSet(next, settlement);
        if (isEnded) await store.put(next.user.id, answer).catch(onError);
        return isEnded;
      }
      try {
        return await store.end(next, settlement, answer);
      } catch (error) {
        if (isStoreAway(error)) throw error;
        onError(error);
        return forgotten();
      }
    },
  };
}

/** The answer to remember. `undefined`: the request has not offered it. */
async function answerOf(
  record: ElicitationRecord,
  content: ElicitationContent,
  rememberedAt: number,
): Promise<RememberedAnswer | undefined> {
  const { request, tool } = record;
  const key = await keyOf(record);
  if (key === undefined || tool === undefined || request.mode !== "form") return undefined;
  const { days = REMEMBERED_DAYS, kind, scope } = request.remember ?? {};
  const expiresAt = rememberedAt + days * DAY_MS;
  const common = { key, tool, message: request.message, rememberedAt, expiresAt };
  // The values of one call are not those of the next one.
  if (scope !== undefined) return { ...common, kind: subjectOf(record), content: {}, said: [] };
  return {
    ...common,
    ...(kind !== undefined && { kind }),
    content,
    said: fieldsOf(request).flatMap((field): [string, string][] => {
      const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
      return value === undefined ? [] : [[field.label, wordsOf(field, value)]];
    }),
  };
}

/**
 * A key that is equal for repeated questions of a tool, and different if a field, an option or the text has changed (the
 * text does not count if the tool has set a kind). `undefined`: the request has not offered it.
 */
async function keyOf({ request, tool, conversationId }: ElicitationRecord): Promise<string | undefined> {
  if (request.mode !== "form" || request.remember === undefined || tool === undefined) return undefined;
  const { remember, requestedSchema, message } = request;
  // An id of a review contains its values.
  if (remember.scope !== undefined) return sha256Hex(canonical(["tool", tool.name, conversationId]));
  const asked = remember.kind === undefined ? { message } : { kind: remember.kind };
  return sha256Hex(canonical([tool.id, asked, requestedSchema]));
}

const subjectOf = ({ request, tool }: ElicitationRecord) => reviewOf(request)?.subject ?? tool?.name;

function defaultsOf(request: ElicitationRequest): ElicitationContent {
  const defaults = fieldsOf(request).flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(defaults);
}

function fieldsOf({ requestedSchema }: Pick<ElicitationRequest, "requestedSchema">): readonly Field[] {
  const parsed = requestedSchema && parseRequestedSchema(requestedSchema);
  return parsed?.ok === true ? parsed.fields : [];
}

function wordsOf(field: Field, value: ElicitationContent[string]): string {
  const labelOf = (one: unknown) =>
    ("options" in field ? field.options.find((option) => option.value === String(one))?.label : undefined) ??
    String(one);
  return Array.isArray(value) ? value.map(labelOf).join(", ") : labelOf(value);
}

/**
 * Handles "Ask me again next time": a remembered answer of this user is no longer used (contract, section 4). The path names
 * the answer and not a request, because a receipt in a history outlives the record of its request.
 */
function addForgetRoute(app: Hono, context: RouteContext, remembering: Remembering): void {
  app.post("/api/remembered/:id/forget", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    await remembering.remove(write.user.id, c.req.param("id"));
    return jsonReply(200, { success: true });
  });
}
