import { canonical, sha256 } from "../../base/canonical.ts";
import type { Clock } from "../../base/clock.ts";
import type { ElicitationContent, ElicitationRequest } from "../../contract/contract.ts";
import { reviewOf } from "../../contract/review.ts";
import { type Field, parseRequestedSchema } from "../../form/index.ts";
import type { ElicitationRecord, ElicitationRecords, Settlement } from "../ports/index.ts";
import { isStoreAway } from "../../base/foreign-error.ts";
import type { RememberedAnswer, RememberedAnswers } from "../ports/remembered.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an answer is remembered if its question does not say so. */
export const REMEMBERED_DAYS = 30;

/** Handles remembered answers: which questions may have one, and the stored answers. */
export interface Remembering {
  /** Returns the remembered answer for this request. */
  find(record: ElicitationRecord): Promise<RememberedAnswer | undefined>;
  /**
   * Ends a record with an answer that the user lets the kit remember, as `compareAndSet` of the records does. If the
   * answer cannot be remembered, it counts nevertheless.
   */
  end(next: ElicitationRecord, settlement: Settlement): Promise<boolean>;
  list(userId: string): Promise<readonly RememberedAnswer[]>;
  remove(userId: string, key: string): Promise<void>;
}

export function createRemembering(
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
  if (remember.scope !== undefined) return sha256(canonical(["tool", tool.name, conversationId]));
  const asked = remember.kind === undefined ? { message } : { kind: remember.kind };
  return sha256(canonical([tool.id, asked, requestedSchema]));
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
