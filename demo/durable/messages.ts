import type { Services } from "../server/services.ts";
import type { FacePorts } from "./proxy.ts";

/** What a process of the demo is told when it starts. Plain data. */
export interface Settings {
  databaseUrl: string;
  origins: Readonly<Record<"chat" | "auth" | "runtime", string>>;
  services: Services;
  /** The same in all processes, 32 bytes as base64 each. */
  keys: Readonly<Record<"session" | "secrets" | "answers", string>>;
}

/** What it tells. */
export type Message =
  | { readonly kind: "ready"; readonly ports: FacePorts }
  /** It begins to run a turn, or goes on with one of another process. */
  | { readonly kind: "turn"; readonly turnId: string; readonly user: string };
