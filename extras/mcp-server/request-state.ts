import type { Clock } from "../../src/base/clock.ts";
import {
  KEY_BYTES,
  keyBytes,
  createEncryption,
  derivedBits,
  joined,
  partsOf,
} from "../../src/base/encryption.ts";
import { base64url, bytesOfBase64 } from "../../src/base/ids.ts";
import { KitError } from "../../src/contract/kit-error.ts";

/**
 * Seals the state that a client carries from one round to the next, so that the client can neither read nor change it.
 */
export interface RequestStates {
  /**
   * Encrypts `payload`. It can be opened until `expiresAt`, and only with the same `binding`: the user, the client and the
   * call that the state belongs to.
   */
  seal(payload: unknown, binding: StateBinding, expiresAt: number): Promise<string>;
  /** Opens a state. Throws {@link RequestStateError} if it is forged, expired, or has another binding. */
  open(state: string, binding: StateBinding): Promise<unknown>;
}

/** The owner of a state. It is authenticated but not stored in the state. */
export interface StateBinding {
  readonly userId: string | undefined;
  readonly clientId: string | undefined;
  /** The tool and its arguments. */
  readonly call: string;
}

/** The reason why a state was refused. The message is for the operator's log. Clients do not get it. */
export class RequestStateError extends KitError {
  override readonly name = "RequestStateError";
}

const MAX_LENGTH = 128 * 1024;
const STATE_PATTERN = /^ek1\.([\w-]{8})\.([\w-]{38,})$/;

/**
 * Seals states with AES-256-GCM. `key`: 32 bytes, raw or as base64, the same in all processes. By default it is random, and
 * only this process can open its states.
 */
export function createRequestStates(key: Uint8Array | string | undefined, clock: Clock): RequestStates {
  const bytes =
    key === undefined ? crypto.getRandomValues(new Uint8Array(KEY_BYTES)) : keyBytes(key, "stateKey");
  const encryption = createEncryption(bytes, "requestState");
  let named: Promise<string> | undefined;
  /** Distinguishes a state with another key from one that was changed. */
  const nameOfKey = () => (named ??= derivedBits(bytes, "requestState key name", 48).then(base64url));

  return {
    async seal(payload, binding, expiresAt) {
      const text = JSON.stringify([expiresAt, payload]);
      const { nonce, data, tag } = await encryption.encrypt(text, boundTo(binding));
      return `ek1.${await nameOfKey()}.${base64url(joined(nonce, data, tag))}`;
    },
    async open(state, binding) {
      const [, name, text = ""] = (state.length <= MAX_LENGTH && STATE_PATTERN.exec(state)) || [];
      if (name === undefined) throw new RequestStateError("elicit-kit: a requestState is malformed.");
      if (name !== (await nameOfKey())) {
        throw new RequestStateError(key === undefined ? OTHER_PROCESS : OTHER_KEY);
      }
      const whole = bytesOfBase64(text);
      const opened = whole && (await encryption.decrypt(partsOf(whole, "data, tag"), boundTo(binding)));
      if (opened === undefined) {
        throw new RequestStateError(
          "elicit-kit: a requestState was changed, or belongs to another user, client or call.",
        );
      }
      const [expiresAt, payload]: [number, unknown] = JSON.parse(opened);
      if (clock.now() >= expiresAt) throw new RequestStateError("elicit-kit: a requestState has expired.");
      return payload;
    },
  };
}

const OTHER_PROCESS =
  "elicit-kit: a requestState was sealed by another process, or before a restart. If several processes serve MCP, pass the same `stateKey` to each.";
const OTHER_KEY = "elicit-kit: a requestState was sealed with another `stateKey`.";

function boundTo({ userId, clientId, call }: StateBinding): string {
  return JSON.stringify([userId ?? null, clientId ?? null, call]);
}
