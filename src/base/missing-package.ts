import { KitError } from "../contract/kit-error.ts";

/**
 * The error for an app that has not installed an optional package. Load such a package by `await import(…)` inside `try`:
 * bundlers build an app without it only there, not with `.catch()`.
 *
 * @param user what needs it
 */
export function missingPackage(name: string, user: string, cause: unknown): KitError {
  return new KitError(
    `elicit-kit: ${user} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`,
    { cause },
  );
}
