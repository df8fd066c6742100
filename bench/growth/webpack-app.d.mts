/**
 * Returns the bytes of the first load, minified and gzipped, of the app that `appOf` creates around a module with this
 * code.
 */
export function webpackApp(appOf: (part: string) => string, code: string): Promise<number>;
