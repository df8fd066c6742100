import type { Clock } from "../../../base/clock.ts";
import { KEY_BYTES, keyBytes } from "../../../base/key-bytes.ts";
import { base64url } from "../../../base/ids.ts";
import { KitError } from "../../../contract/kit-error.ts";

/** Seals what a client carries from one round to the next, so that it can neither read nor change it. */
export interface RequestStates {
  /**
   * Encrypts `payload`. It can be opened until `expiresAt`, and only with the same `binding`: the user, the client and the
   * call that the state belongs to.
   */
  seal(payload: unknown, binding: StateBinding, expiresAt: number): Promise<string>;
  /** Opens a state. Throws {@link RequestStateError} if it is forged, expired, or belongs to something else. */
  open(state: string, binding: StateBinding): Promise<unknown>;
}

/** What a state belongs to. It is authenticated, not stored in the state. */
export interface StateBinding {
  readonly userId: string | undefined;
  readonly clientId: string | undefined;
  /** The tool and its arguments. */
  readonly call: string;
}

/** Why a state was refused. The message is for the operator's log; clients do not get the reason. */
export class RequestStateError extends KitError {
  override readonly name = "RequestStateError";
}

const IV_BYTES = 12;
const MAX_LENGTH = 128 * 1024;
const STATE_PATTERN = /^ek1\.([\w-]{8})\.([\w-]{38,})$/;

/**
 * Seals states with AES-256-GCM. `key`: 32 bytes, raw or as base64, the same in all processes. By default it is random, and
 * only this process can open its states.
 */
export function createRequestStates(key: Uint8Array | string | undefined, clock: Clock): RequestStates {
  const bytes =
    key === undefined ? crypto.getRandomValues(new Uint8Array(KEY_BYTES)) : keyBytes(key, "stateKey");
  let loaded: Promise<{ aes: CryptoKey; keyName: string }> | undefined;
  const keys = () => (loaded ??= load(bytes));

  return {
    async seal(payload, binding, expiresAt) {
      const { aes, keyName } = await keys();
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const plain = new TextEncoder().encode(JSON.stringify([expiresAt, payload]));
      const sealed = new Uint8Array(await crypto.subtle.encrypt(gcm(iv, binding), aes, plain));
      const whole = new Uint8Array(IV_BYTES + sealed.length);
      whole.set(iv);
      whole.set(sealed, IV_BYTES);
      return `ek1.${keyName}.${textOf(whole)}`;
    },
    async open(state, binding) {
      const { aes, keyName } = await keys();
      const [, name, text = ""] = (state.length <= MAX_LENGTH && STATE_PATTERN.exec(state)) || [];
      if (name === undefined) throw new RequestStateError("elicit-kit: a requestState is malformed.");
      if (name !== keyName) throw new RequestStateError(key === undefined ? OTHER_PROCESS : OTHER_KEY);
      let opened: ArrayBuffer;
      try {
        const whole = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
          c.charCodeAt(0),
        );
        const iv = whole.subarray(0, IV_BYTES);
        opened = await crypto.subtle.decrypt(gcm(iv, binding), aes, whole.subarray(IV_BYTES));
      } catch {
        throw new RequestStateError(
          "elicit-kit: a requestState was changed, or belongs to another user, client or call.",
        );
      }
      const [expiresAt, payload]: [number, unknown] = JSON.parse(new TextDecoder().decode(opened));
      if (clock.now() >= expiresAt) throw new RequestStateError("elicit-kit: a requestState has expired.");
      return payload;
    },
  };
}

const OTHER_PROCESS =
  "elicit-kit: a requestState was sealed by another process, or before a restart. If several processes serve MCP, pass the same `stateKey` to each.";
const OTHER_KEY = "elicit-kit: a requestState was sealed with another `stateKey`.";

async function load(bytes: Uint8Array<ArrayBuffer>): Promise<{ aes: CryptoKey; keyName: string }> {
  const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey", "deriveBits"]);
  const algorithm = { name: "AES-GCM", length: 256 };
  const aes = await crypto.subtle.deriveKey(derivation("requestState"), root, algorithm, false, [
    "encrypt",
    "decrypt",
  ]);
  const name = await crypto.subtle.deriveBits(derivation("requestState key name"), root, 48);
  return { aes, keyName: base64url(new Uint8Array(name)) };
}

function derivation(purpose: string) {
  return {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: new TextEncoder().encode(`elicit-kit ${purpose}`),
  };
}

function gcm(iv: Uint8Array<ArrayBuffer>, { userId, clientId, call }: StateBinding) {
  const bound = JSON.stringify([userId ?? null, clientId ?? null, call]);
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(bound) };
}

/** In slices, because a function call cannot take 100,000 arguments. */
function textOf(bytes: Uint8Array): string {
  const slices: string[] = [];
  // A multiple of three bytes has no padding, so the texts of slices can be joined.
  for (let at = 0; at < bytes.length; at += 3072) slices.push(base64url(bytes.subarray(at, at + 3072)));
  return slices.join("");
}
