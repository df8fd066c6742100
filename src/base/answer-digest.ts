import type { ElicitationContent } from "../contract/contract.ts";
import { base64url } from "./ids.ts";
import { KEY_BYTES, keyBytes } from "./encryption.ts";

/** Recognises the answer that settled a request, from a digest in its record. */
export interface AnswerDigest {
  /** `undefined` without WebCrypto, for example on an http page that is not on localhost. */
  of(elicitationId: string, content: ElicitationContent | undefined): Promise<string | undefined>;
  /** `unknown`: the digest was made with another key. */
  compare(
    digest: string,
    elicitationId: string,
    content: ElicitationContent | undefined,
  ): Promise<"same" | "different" | "unknown">;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

type Mac = (text: string) => Promise<string>;

/**
 * Digests answers with a key that is not in the records. A plain digest of a short answer, such as a PIN, could be
 * reversed by trying every value. `key`: 32 bytes, raw or as base64. By default it is random, and only this runtime can
 * recognise its answers.
 */
export function createAnswerDigest(key: Uint8Array | string | undefined): AnswerDigest {
  const bytes =
    key === undefined ? crypto.getRandomValues(new Uint8Array(KEY_BYTES)) : keyBytes(key, "answerKey");
  let loaded: Promise<{ name: string; mac: Mac }> | undefined;

  async function load(): Promise<{ name: string; mac: Mac }> {
    const mac = await createMac(bytes);
    return { mac, name: (await mac("elicit-kit answer key")).slice(0, 8) };
  }

  /** `<key name>.<digest>`: the name identifies the key of the digest. */
  async function digestOf(elicitationId: string, content: ElicitationContent = {}): Promise<string> {
    loaded ??= load();
    const { name, mac } = await loaded;
    return `${name}.${await mac(`${elicitationId}\n${canonical(content)}`)}`;
  }

  return {
    of: async (elicitationId, content) => ("subtle" in crypto ? digestOf(elicitationId, content) : undefined),
    async compare(digest, elicitationId, content) {
      const given = await digestOf(elicitationId, content);
      if (given === digest) return "same";
      return given.split(".")[0] === digest.split(".")[0] ? "different" : "unknown";
    },
  };
}

async function createMac(key: Uint8Array<ArrayBuffer>): Promise<Mac> {
  // WebCrypto uses other threads, and an answer would wait until one is free. Not imported, because the runtime also runs
  // in browsers.
  const node = globalThis.process?.getBuiltinModule?.("node:crypto");
  if (node !== undefined) {
    // With the bytes themselves, each answer would take six times as long here.
    const secret = node.createSecretKey(key);
    return async (text) => macOf(node.createHmac("sha256", secret).update(text).digest());
  }
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
  return async (text) =>
    macOf(new Uint8Array(await crypto.subtle.sign(HMAC, imported, new TextEncoder().encode(text))));
}

const macOf = (signature: Uint8Array): string => base64url(signature.subarray(0, 16));

/** Content as JSON with sorted keys. Numbers are compared by value, and the order of a list counts. */
function canonical(content: ElicitationContent): string {
  return JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
