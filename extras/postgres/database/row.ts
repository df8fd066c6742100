/**
 * One row of a result. Checks the type of each column that it reads, because TypeScript cannot know the types of a
 * result.
 */
import { KitError } from "../../../src/contract/kit-error.ts";

export class Row {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(column: string): string {
    const value = this.#values[column];
    return typeof value === "string" ? value : this.#unexpected(column, "a text");
  }

  /** Also reads types that `pg` returns as text, such as `bigint`. */
  number(column: string): number {
    const value = this.#values[column];
    const number = typeof value === "string" ? Number(value) : value;
    return typeof number === "number" && !Number.isNaN(number)
      ? number
      : this.#unexpected(column, "a number");
  }

  flag(column: string): boolean {
    const value = this.#values[column];
    return typeof value === "boolean" ? value : this.#unexpected(column, "a boolean");
  }

  bytes(column: string): Uint8Array {
    const value = this.#values[column];
    return value instanceof Uint8Array ? value : this.#unexpected(column, "binary data");
  }

  isNull(column: string): boolean {
    return this.#values[column] === null;
  }

  #unexpected(column: string, wanted: string): never {
    throw new KitError(
      `elicit-kit: the column "${column}" of PostgreSQL is not ${wanted}. Remove custom type parsers from \`pg\`, or pass a connectionString instead of a pool.`,
    );
  }
}

/** An entry of the `with` list of a statement, with its values. `first` is the number of its first parameter. */
export type StatementPart = (first: number) => { readonly sql: string; readonly values: readonly unknown[] };
