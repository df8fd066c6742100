import { KitError, isKitError } from "../contract/kit-error.ts";

/** The same value in every copy of this module, because bundlers may load it more than once. */
const BRAND = /* @__PURE__ */ Symbol.for("elicit-kit.store-away");

/** The seconds after which a client may try again. */
export const STORE_RETRY_S = 2;

/** The sentence for a client whose request cannot be served now. */
export const STORE_IS_AWAY = "The server cannot use its database now. Try again in a moment.";

/**
 * A store could not serve a call, and the reason is not the data of the call: it is away, full, locked or read-only. The
 * same call may succeed later. So it ends no turn, and an HTTP request gets 503.
 */
export class StoreAway extends KitError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, BRAND, { value: true });
  }
}

export function isStoreAway(error: unknown): error is Error {
  return isKitError(error) && Reflect.get(error, BRAND) === true;
}
