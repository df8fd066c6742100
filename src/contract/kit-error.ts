/** The same value in every copy of this module, because bundlers may load it more than once. */
const BRAND = /* @__PURE__ */ Symbol.for("elicit-kit.error");

/**
 * A server-side error with a message from the kit. The message begins with `elicit-kit: `, and is safe to log and to show
 * to a model. The prefix alone proves nothing, because errors of libraries may repeat texts from servers. Test with
 * {@link isKitError}: `instanceof` fails for an error of a second copy of the kit.
 */
export class KitError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    // Not a member of the class, because bundlers would keep every class with a computed name.
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/**
 * Whether the kit has written the message of an error, so that it may be logged and shown.
 *
 * @example
 * const words = isKitError(error) ? error.message : "Something went wrong.";
 */
export function isKitError(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, BRAND) === true;
}

/** Thrown when a question cannot be asked as written. The message tells the tool's author what to change. */
export class ElicitorError extends KitError {
  override readonly name = "ElicitorError";
}
