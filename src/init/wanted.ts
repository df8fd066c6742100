import type { Project } from "./project.ts";

/** Text of files by their path in the app. */
export type Files = Readonly<Record<string, string>>;

/** What the user has asked `init` for. */
export interface Wanted {
  /** A script in place of the model, and of the account's provider. */
  readonly mock: boolean;
  /** The hosted page, with one provider. */
  readonly connect: boolean;
  /** Requests and turns in PostgreSQL. */
  readonly postgres: boolean;
}

/** Node runs the JavaScript of a server beside Vite itself, and wants the ending of each import. */
export function importOf(project: Project, path: string): string {
  return project.typescript || project.framework === "next" ? path : `${path}.js`;
}
