/** An entry of the `with` list of a statement, with its values. `first` is the number of its first parameter. */
export type StatementPart = (first: number) => { readonly sql: string; readonly values: readonly unknown[] };
