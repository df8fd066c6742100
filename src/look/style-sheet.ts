/** What TypeScript reads for the style sheets of the package, which export nothing. */
export {};
