/** Vitest refuses a file of tests whose tags its configuration does not have. */
export const tags = [{ name: "long", description: "Left out of `npm test`; `npm run test:long` runs it." }];
