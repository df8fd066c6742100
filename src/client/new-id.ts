/** The id of a request that a channel makes: 128 bits from the platform's CSPRNG, as 32 hexadecimal characters. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
