/** The largest number of accounts of one service for each user. */
const MAX_ACCOUNTS = 5;
const FURTHER = /\/[2-5]$/;

/**
 * The ids of a user's accounts at a service, which replace the tool id. The first one is the name of the provider, so a
 * single account needs no other id.
 */
export function accountIds(provider: string): readonly string[] {
  return Array.from({ length: MAX_ACCOUNTS }, (_, index) =>
    index === 0 ? provider : `${provider}/${index + 1}`,
  );
}

/** The ids of the other accounts at the same service. */
export function siblingsOf(id: string): readonly string[] {
  return accountIds(providerOf(id)).filter((other) => other !== id);
}

/** Finds the entry for the provider of an account. */
export function byAccount<T>(byProvider: ReadonlyMap<string, T>, id: string): T | undefined {
  return byProvider.get(id) ?? byProvider.get(providerOf(id));
}

/** The name of the provider of an account. */
export function providerOf(id: string): string {
  return id.replace(FURTHER, "");
}
