/** What TypeScript reads for the style sheets of the package, which have no value. */
export type StyleSheet = never;
