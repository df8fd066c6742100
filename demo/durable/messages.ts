import type { Services } from "../server/services.ts";
import type { DemoKeys } from "../server/state.ts";
import type { FacePorts } from "./proxy.ts";

/** The settings with which a process of the demo starts. Plain data. */
export interface Settings {
  databaseUrl: string;
  origins: Readonly<Record<"chat" | "auth" | "runtime", string>>;
  services: Services;
  /** The same in all processes. */
  keys: DemoKeys;
}

export type Message =
  | { readonly kind: "ready"; readonly ports: FacePorts }
  /** The process starts to run a turn, or takes over a turn of another process. */
  | { readonly kind: "turn"; readonly turnId: string; readonly user: string };
