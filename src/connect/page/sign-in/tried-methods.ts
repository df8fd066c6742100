import type { Cookies } from "../cookies.ts";
import { TRANSACTION_TTL_MS } from "../../ports/transactions.ts";

const METHOD = /^[a-z-]{1,40}$/;

/**
 * The methods of sign-ins from which a browser did not return. An authorization server that refuses a client shows its
 * own error page, and no error reaches us, so the next Connect uses another method. Kept in a cookie, because it only
 * decides which method comes next.
 */
export interface TriedMethods {
  read(request: Request, elicitationId: string): ReadonlySet<string>;
  /** The `Set-Cookie` header that adds a method. */
  add(tried: ReadonlySet<string>, method: string, elicitationId: string): string;
  /** The `Set-Cookie` header after the browser has returned. */
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
