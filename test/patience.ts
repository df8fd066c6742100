/** A property test with many more cases than usual takes minutes by itself. */
const testTimeout = process.env["FC_RUNS"] === undefined ? 120_000 : 1_800_000;

/**
 * Generous time limits: tests wait for events, and the limits only end hanging tests. Beside other work, on a machine that
 * gives the tests a sixth of its time, some took longer than a minute.
 */
export const patience = { testTimeout, hookTimeout: 120_000, expect: { poll: { timeout: 40_000 } } };
