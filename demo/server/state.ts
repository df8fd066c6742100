import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CredentialStore, createMemoryCredentials } from "elicit-kit/connect";
import { createFileCredentials } from "elicit-kit/node";
import { type KeptFile, openKeptFile } from "./kept-file.ts";
import type { OAuthContent } from "./oauth-store.ts";
import type { OwnServer } from "./own-servers.ts";
import { createMemoryShelf, type Shelf, type ShelfContent } from "./shelf.ts";

/** Keys of 32 bytes each, as base64: for sessions, for stored data and tokens, and for answers. */
export type DemoKeys = Readonly<Record<"session" | "secrets" | "answers", string>>;

/** The data that the demo keeps between starts: its keys, connected accounts, and the data of the OAuth server. */
export interface DemoState {
  keys: DemoKeys;
  /** The folder of the data. `undefined`: the demo keeps nothing. */
  folder: string | undefined;
  credentials: CredentialStore;
  /** The OAuth server's key. With a new key, the server would refuse all earlier tokens. */
  signingKey: JsonWebKey | undefined;
  keepSigningKey: (key: JsonWebKey) => Promise<void>;
  /** The other data of the OAuth server. `undefined`: it starts empty. */
  oauth: KeptFile<OAuthContent> | undefined;
  /** The MCP servers that users have added. */
  servers: Shelf<readonly OwnServer[]>;
}

/** The demo's folder. Empty if the ports are random, because stored URLs would not match at the next start. */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  ports: Readonly<{ chat: number }>,
): string {
  return env["DEMO_STATE"] ?? (ports.chat === 0 ? "" : ".demo");
}

/**
 * Reads the demo's folder, and creates it at the first start. With an empty name, no data outlives the process. The
 * folder also contains the encryption keys, which is acceptable only for a demo: a real server gets them from outside.
 */
export async function loadState(folder: string): Promise<DemoState> {
  if (folder === "") {
    return {
      keys: createKeys(),
      folder: undefined,
      credentials: createMemoryCredentials(),
      signingKey: undefined,
      keepSigningKey: () => Promise.resolve(),
      oauth: undefined,
      servers: createMemoryShelf(),
    };
  }
  try {
    return await readState(folder);
  } catch (error) {
    if (!isCode(error, "EACCES") && !isCode(error, "EPERM")) throw error;
    throw new Error(
      `elicit-kit: the demo's folder ${folder} belongs to another user. Delete it as that user, or set DEMO_STATE to another one.`,
      { cause: error },
    );
  }
}

async function readState(folder: string): Promise<DemoState> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keys = await openKeptFile<DemoKeys>(join(folder, "keys.json"));
  const signingKey = await openKeptFile<JsonWebKey>(join(folder, "oauth-signing-key.json"));
  const servers = await openKeptFile<ShelfContent<readonly OwnServer[]>>(join(folder, "own-servers.json"));
  const made = keys.known ?? createKeys();
  if (keys.known === undefined) await keys.keep(made);
  return {
    keys: made,
    folder,
    credentials: await createFileCredentials({
      path: join(folder, "credentials"),
      key: await remembered(join(folder, "credentials.key"), createKey),
    }),
    signingKey: signingKey.known,
    keepSigningKey: signingKey.keep,
    oauth: await openKeptFile<OAuthContent>(join(folder, "oauth-store.json")),
    servers: createMemoryShelf({ known: servers.known, keep: servers.keep }),
  };
}

const createKey = (): string => randomBytes(32).toString("base64");
const createKeys = (): DemoKeys => ({ session: createKey(), secrets: createKey(), answers: createKey() });

async function remembered(path: string, make: () => string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    const made = make();
    await writeFile(path, made, { mode: 0o600 });
    return made;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
