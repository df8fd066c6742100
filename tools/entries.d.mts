export interface Entry {
  readonly name: string;
  readonly source: string;
  readonly output: string;
}
export declare const entries: readonly Entry[];
