import type { Cookies } from "../cookies.ts";
import { TRANSACTION_TTL_MS } from "../../ports/transactions.ts";

const METHOD = /^[a-z-]{1,40}$/;

/**
 * The methods with which a browser has left to sign in and not come back. An authorization server that refuses a client
 * shows an error page of its own, so nobody else learns of it; the next Connect takes another method. Kept in a cookie of
 * the browser: it only decides which method comes next.
 */
export interface TriedMethods {
  read(request: Request, elicitationId: string): ReadonlySet<string>;
  /** The `Set-Cookie` header that adds a method. */
  add(tried: ReadonlySet<string>, method: string, elicitationId: string): string;
  /** The `Set-Cookie` header after the browser has come back. */
  clear(elicitationId: string): string;
}

export function createTriedMethods(cookies: Cookies): TriedMethods {
  return {
    read(request, elicitationId) {
      const listed = (cookies.read(request, nameOf(elicitationId)) ?? "").split(".");
      return new Set(listed.filter((method) => METHOD.test(method)));
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
