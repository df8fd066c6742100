/** Tests wait for what happens, not for a time: these only end what hangs, on a busy machine too. */
export const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
