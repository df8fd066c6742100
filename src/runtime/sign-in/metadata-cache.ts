import type { Clock } from "../core/index.ts";
import type { ServerMetadata } from "./authorization-server.ts";

/** Keeps the metadata of authorization servers for a short time, by issuer. */
export interface MetadataCache {
  get(issuer: string): Promise<ServerMetadata>;
  /** Forgets an issuer's metadata after a failure, because it may have changed. */
  forget(issuer: string): void;
}

/** A view of the page, the start after it and a refresh need the same metadata within minutes. */
const TTL_MS = 5 * 60_000;
/** A limit, because servers choose the issuers. */
const MAX_ISSUERS = 100;

/** A failed read is not cached. */
export function createMetadataCache(
  read: (issuer: string) => Promise<ServerMetadata>,
  clock: Clock,
): MetadataCache {
  const known = new Map<string, { readonly until: number; readonly metadata: Promise<ServerMetadata> }>();

  return {
    get(issuer) {
      const found = known.get(issuer);
      if (found !== undefined && clock.now() < found.until) return found.metadata;
      const reading = { until: clock.now() + TTL_MS, metadata: read(issuer) };
      known.delete(issuer);
      known.set(issuer, reading);
      const [oldest] = known.keys();
      if (known.size > MAX_ISSUERS && oldest !== undefined) known.delete(oldest);
      reading.metadata.catch(() => {
        if (known.get(issuer) === reading) known.delete(issuer);
      });
      return reading.metadata;
    },
    forget(issuer) {
      known.delete(issuer);
    },
  };
}
