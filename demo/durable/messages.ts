import type { Services } from "../server/services.ts";
import type { DemoKeys } from "../server/state.ts";
import type { FacePorts } from "./proxy.ts";

/** The settings that a process of the demo starts with. Plain data. */
export interface Settings {
  databaseUrl: string;
  origins: Readonly<Record<"chat" | "auth" | "runtime", string>>;
  services: Services;
  /** The same in all processes. */
  keys: DemoKeys;
}

/** What it tells. */
export type Message =
  | { readonly kind: "ready"; readonly ports: FacePorts }
  /** It begins to run a turn, or continues with one of another process. */
  | { readonly kind: "turn"; readonly turnId: string; readonly user: string };
