/** Encrypts the secrets in the ports of tests: 32 bytes as base64. */
export const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
