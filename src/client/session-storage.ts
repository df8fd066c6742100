/** The tab's session storage, unless the browser refuses it. */
export function sessionStorageOrNull(): Storage | null {
  return attempt(() => globalThis.sessionStorage) ?? null;
}

/**
 * Uses what the browser may refuse, such as storage, which throws when it is full, forbidden or sandboxed. Going without
 * it is not worth an error.
 */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

export function keysOf(storage: Storage | null): readonly string[] {
  return (
    attempt(() => Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "")) ?? []
  );
}
