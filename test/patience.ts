/** A generous time limit: tests wait for events, and the limit only ends hanging tests, even on a busy machine. */
export const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
