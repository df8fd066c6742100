import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CredentialStore, createMemoryCredentials } from "elicit-kit/runtime";
import { createFileCredentials } from "elicit-kit/runtime/node";
import type { OwnServer } from "./own-servers.ts";
import { createMemoryShelf, type Shelf, type ShelfContent } from "./shelf.ts";

/** What the demo keeps between starts: connected accounts, and the key that signs their tokens. */
export interface DemoState {
  credentials: CredentialStore;
  /** The OAuth server's key: with a new one, it would refuse all tokens from before. */
  signingKey: JsonWebKey | undefined;
  keepSigningKey: (key: JsonWebKey) => Promise<void>;
  /** The MCP servers that people have added. */
  servers: Shelf<readonly OwnServer[]>;
}

/**
 * Reads the demo's folder, and creates it at the first start. With an empty name nothing outlives the process. The key
 * stands beside the file it opens, which is good enough for a demo and for nothing else: a real server gets it from
 * outside.
 */
export async function loadState(folder: string): Promise<DemoState> {
  if (folder === "") {
    return {
      credentials: createMemoryCredentials(),
      signingKey: undefined,
      keepSigningKey: () => Promise.resolve(),
      servers: createMemoryShelf(),
    };
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const key = await remembered(join(folder, "credentials.key"), () => randomBytes(32).toString("base64"));
  const signingKeyPath = join(folder, "oauth-signing-key.json");
  const signingKey = await read(signingKeyPath);
  const serversPath = join(folder, "own-servers.json");
  return {
    credentials: await createFileCredentials({ path: join(folder, "credentials"), key }),
    signingKey: signingKey === undefined ? undefined : (JSON.parse(signingKey) as JsonWebKey),
    keepSigningKey: (jwk) => writeFile(signingKeyPath, JSON.stringify(jwk), { mode: 0o600 }),
    servers: createMemoryShelf({
      known: JSON.parse((await read(serversPath)) ?? "{}") as ShelfContent<readonly OwnServer[]>,
      keep: (servers) => writeFile(serversPath, JSON.stringify(servers), { mode: 0o600 }),
    }),
  };
}

async function remembered(path: string, make: () => string): Promise<string> {
  const known = await read(path);
  if (known !== undefined) return known;
  const made = make();
  await writeFile(path, made, { mode: 0o600 });
  return made;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
