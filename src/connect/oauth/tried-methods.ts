import type { ClientMethod } from "../discovery/choose-client.ts";
import type { Cookies } from "../page/cookies.ts";
import { TRANSACTION_TTL_MS } from "../page/transactions.ts";

const METHODS: readonly ClientMethod[] = ["preset", "metadata-document", "dynamic"];

/**
 * The methods with which a browser has left for an authorization server and not come back. A server that refuses a
 * client shows an error page of its own, so nobody else learns of it; the next Connect takes another method. Kept in a
 * cookie of the browser: it decides nothing but which method comes next.
 */
export interface TriedMethods {
  read(request: Request, elicitationId: string): ReadonlySet<ClientMethod>;
  /** The `Set-Cookie` header that adds a method. */
  add(tried: ReadonlySet<ClientMethod>, method: ClientMethod, elicitationId: string): string;
  /** The `Set-Cookie` header after the browser has come back. */
  clear(elicitationId: string): string;
}

export function createTriedMethods(cookies: Cookies): TriedMethods {
  return {
    read(request, elicitationId) {
      const listed = (cookies.read(request, nameOf(elicitationId)) ?? "").split(".");
      return new Set(METHODS.filter((method) => listed.includes(method)));
    },
    add: (tried, method, elicitationId) =>
      cookies.write(
        nameOf(elicitationId),
        [...new Set([...tried, method])].join("."),
        TRANSACTION_TTL_MS / 1000,
      ),
    clear: (elicitationId) => cookies.remove(nameOf(elicitationId)),
  };
}

function nameOf(elicitationId: string): string {
  return `elicit-tried-${elicitationId.slice(0, 22)}`;
}
