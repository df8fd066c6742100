import { randomBytes } from "node:crypto";
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Entry {
  payload: AdapterPayload;
  /** Milliseconds since the epoch. Without it, never. */
  expiresAt?: number;
}

/** All data of an OAuth server. Plain data. */
export interface OAuthContent {
  /** The key that signs the cookies of sign-ins. */
  readonly cookieKey: string;
  readonly entries: Readonly<Record<string, Entry>>;
}

export interface OAuthStore {
  readonly adapter: AdapterFactory;
  readonly cookieKey: string;
}

/** Stores sessions, codes, tokens and clients until they expire. `keep` receives all data after each change. */
export function createOAuthStore({
  known,
  keep = () => Promise.resolve(),
}: {
  known?: OAuthContent | undefined;
  keep?: ((content: OAuthContent) => Promise<void>) | undefined;
} = {}): OAuthStore {
  const cookieKey = known?.cookieKey ?? randomBytes(32).toString("base64url");
  const entries = new Map<string, Entry>(Object.entries(known?.entries ?? {}));

  const changed = (): Promise<void> => keep({ cookieKey, entries: Object.fromEntries(entries) });
  const isOver = ({ expiresAt = Infinity }: Entry): boolean => expiresAt <= Date.now();
  const remove = (matches: (entry: Entry) => boolean): void => {
    for (const [key, entry] of entries) if (matches(entry)) entries.delete(key);
  };
  const find = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key);
    return entry === undefined || isOver(entry) ? undefined : entry.payload;
  };

  const adapter = (model: string): Adapter => {
    const prefix = `${model}:`;
    const search = (matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...entries.keys()]
        .filter((key) => key.startsWith(prefix))
        .map(find)
        .find((payload) => payload !== undefined && matches(payload));
    return {
      async upsert(id, payload, expiresIn?: number) {
        remove(isOver);
        const expiry = expiresIn === undefined ? {} : { expiresAt: Date.now() + expiresIn * 1000 };
        entries.set(prefix + id, { payload, ...expiry });
        await changed();
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
        await changed();
      },
      async destroy(id) {
        entries.delete(prefix + id);
        await changed();
      },
      async revokeByGrantId(grantId) {
        remove(({ payload }) => payload.grantId === grantId);
        await changed();
      },
    };
  };

  return { adapter, cookieKey };
}
