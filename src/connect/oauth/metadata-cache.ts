import type { Clock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";

/** Caches metadata for a short time, and limits how often a host is asked for it. */
export interface MetadataCache<T> {
  /** `host` is the host of the URL that is read. */
  get(key: string, host: string, read: () => Promise<T>): Promise<T>;
  /** Drops a cached entry, because it may have changed. */
  forget(key: string): void;
}

/** A failure is cached, so that views of the page cannot be used to flood a host without metadata. */
const FAILURE_TTL_MS = 10_000;
/** The limit of failing reads of a host per minute, because servers choose the URLs that are read. */
const MAX_FAILURES = 20;
const MINUTE_MS = 60_000;
/** The limit of memory, because servers choose the keys. */
const MAX_KEPT = 100;
const MAX_HOSTS = 1000;

interface Reading<T> {
  until: number;
  readonly metadata: Promise<T>;
}

/**
 * Simultaneous reads share one request. A failed read is repeated after ten seconds.
 *
 * @param ttlMs how long metadata is used
 */
export function createMetadataCache<T>(clock: Clock, ttlMs: number): MetadataCache<T> {
  const kept = new Map<string, Reading<T>>();
  /** Keys that could be read before. Failing reads by others do not count against them. */
  const proven = new Map<string, true>();
  /** Reads that have failed or not ended yet, by host. */
  const inVain = new Map<string, number[]>();

  function recentReads(host: string): number[] {
    return (inVain.get(host) ?? []).filter((at) => clock.now() < at + MINUTE_MS);
  }

  async function readLimited(key: string, host: string, read: () => Promise<T>): Promise<T> {
    const recent = recentReads(host);
    if (recent.length >= MAX_FAILURES && !proven.has(key)) {
      throw new KitError("elicit-kit: its host was asked too often in the last minute");
    }
    const at = clock.now();
    put(inVain, host, [...recent, at].slice(-MAX_FAILURES), MAX_HOSTS);
    const metadata = await read();
    const others = recentReads(host);
    const own = others.indexOf(at);
    if (own >= 0) put(inVain, host, others.toSpliced(own, 1), MAX_HOSTS);
    put(proven, key, true, MAX_HOSTS);
    return metadata;
  }

  return {
    get(key, host, read) {
      const found = kept.get(key);
      if (found !== undefined && clock.now() < found.until) return found.metadata;
      const reading: Reading<T> = {
        until: clock.now() + ttlMs,
        metadata: readLimited(key, host, read),
      };
      put(kept, key, reading, MAX_KEPT);
      reading.metadata.catch(() => {
        reading.until = clock.now() + FAILURE_TTL_MS;
      });
      return reading.metadata;
    },
    forget(key) {
      kept.delete(key);
    },
  };
}

/** Adds an entry as the newest, and removes the oldest if there are too many. */
function put<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
