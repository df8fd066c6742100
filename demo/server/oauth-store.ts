import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Entry {
  payload: AdapterPayload;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Stores sessions, codes, tokens and clients until they expire or the process ends. */
export function createOAuthStore(): AdapterFactory {
  const entries = new Map<string, Entry>();

  const remove = (matches: (payload: AdapterPayload, expiresAt: number) => boolean): void => {
    for (const [key, { payload, expiresAt }] of entries) if (matches(payload, expiresAt)) entries.delete(key);
  };
  const find = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > Date.now() ? entry.payload : undefined;
  };

  return (model): Adapter => {
    const prefix = `${model}:`;
    const search = (matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...entries.keys()]
        .filter((key) => key.startsWith(prefix))
        .map(find)
        .find((payload) => payload !== undefined && matches(payload));
    return {
      async upsert(id, payload, expiresIn = Infinity) {
        const now = Date.now();
        remove((_, expiresAt) => expiresAt <= now);
        entries.set(prefix + id, { payload, expiresAt: now + expiresIn * 1000 });
      },
      async find(id) {
        return find(prefix + id);
      },
      async findByUid(uid) {
        return search((payload) => payload.uid === uid);
      },
      async findByUserCode(userCode) {
        return search((payload) => payload.userCode === userCode);
      },
      async consume(id) {
        const payload = find(prefix + id);
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        entries.delete(prefix + id);
      },
      async revokeByGrantId(grantId) {
        remove((payload) => payload.grantId === grantId);
      },
    };
  };
}
