/**
 * Generous time limits: tests wait for events, and the limits only end hanging tests. Beside other work, on a machine that
 * gives the tests a sixth of its time, some took longer than a minute.
 */
export const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 40_000 } } };
