import { KitError } from "../../../protocol/kit-error.ts";

/**
 * What somebody reads who has not installed an optional package: `await import(name).catch(missingPackage(name, "serve"))`.
 *
 * @param user what needs it
 */
export function missingPackage(name: string, user: string): (cause: unknown) => never {
  return (cause) => {
    throw new KitError(
      `elicit-kit: ${user} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`,
      { cause },
    );
  };
}
