import type { Random } from "./random.ts";

/**
 * Ids and digests that are derived from the seed and computed synchronously: WebCrypto computes in other threads, whose
 * order the seed cannot decide. Returns a function that restores the real one.
 */
export function useDeterministicCrypto(random: Random): () => void {
  const real = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  const keys = new WeakMap<object, Uint8Array>();
  const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
    ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
  function getRandomValues(bytes: Uint8Array): Uint8Array {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = random.below(256);
    return bytes;
  }
  const subtle = {
    async importKey(_format: string, bytes: Uint8Array) {
      const key = {};
      keys.set(key, bytes);
      return key;
    },
    sign: async (_name: string, key: object, data: Uint8Array) => digestOf(keys.get(key), bytesOf(data)),
    digest: async (_name: string, data: Uint8Array) => digestOf(undefined, bytesOf(data)),
  };
  const randomUUID = () => Buffer.from(getRandomValues(new Uint8Array(16))).toString("hex");
  Object.defineProperty(globalThis, "crypto", {
    configurable: true,
    value: { getRandomValues, randomUUID, subtle },
  });
  return () => {
    if (real !== undefined) Object.defineProperty(globalThis, "crypto", real);
  };
}

/** A fast hash that distinguishes texts. There are no attackers in a history. */
function digestOf(key: Uint8Array = new Uint8Array(), data: Uint8Array): ArrayBuffer {
  const words = new Uint32Array(8);
  let hash = 0x811c9dc5;
  for (let round = 0; round < words.length; round += 1) {
    for (const byte of key) hash = Math.imul(hash ^ byte, 0x01000193);
    for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193);
    words[round] = hash;
  }
  return words.buffer;
}
