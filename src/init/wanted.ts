import type { Project } from "./project.ts";

/** The text of each file, by its path in the app. */
export type Files = Readonly<Record<string, string>>;

/** The options that the user passed to `init`. */
export interface Wanted {
  /** Use a script instead of a model and of an account provider. */
  readonly mock: boolean;
  /** Add the hosted page, with one provider. */
  readonly connect: boolean;
  /** Keep requests and turns in PostgreSQL. */
  readonly postgres: boolean;
}

/**
 * Beside Vite, Node runs the files itself and needs file extensions in imports; TypeScript wants those of the JavaScript,
 * as `create-vite` configures it.
 */
export function importOf(project: Project, path: string): string {
  return project.framework === "next" ? path : `${path}.js`;
}
