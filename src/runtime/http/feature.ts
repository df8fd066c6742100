import type { Hono } from "hono/tiny";
import type { WriteLimit } from "../../base/write-limit.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import type { Observer } from "../request/telemetry.ts";
import type { RouteContext } from "./turn-replies.ts";

/** A feature with routes of its own. The runtime works without it. */
export interface RouteFeature {
  addRoutes(app: Hono, context: RouteContext): void;
}

/** Fills in forms from sentences of their users. */
export interface SentenceFeature extends RouteFeature {
  /** Whether a sentence may fill in the request. */
  takes(request: ElicitationRequest): boolean;
}

/** What the runtime gives to a feature. */
export interface FeatureParts {
  readonly writeLimit: WriteLimit | undefined;
  readonly observer: Pick<Observer, "limited">;
  readonly onError: (error: unknown) => void;
}
