import { KitError } from "../contract/kit-error.ts";

/**
 * The error for an app without an installed optional package. Load such a package with `await import(…)` inside `try`.
 * With `.catch()` instead, bundlers fail in an app without the package.
 *
 * @param user the feature that needs the package
 */
export function missingPackage(name: string, user: string, cause: unknown): KitError {
  return new KitError(
    `elicit-kit: ${user} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`,
    { cause },
  );
}
