import type { DecisionLog } from "elicit-kit/audit";
import { createOperatorPage } from "elicit-kit/runtime/operator";
import type { Runtime } from "elicit-kit/runtime";
import type { ElicitationRecords, TurnRunner } from "elicit-kit/runtime/ports";

/** The path of the operator page, on the runtime's origin. */
export const OPERATOR_PATH = "/operator";

/** The stores that the operator page reads. */
export interface OperatorStores {
  records: ElicitationRecords;
  runner: TurnRunner;
  decisionLog: DecisionLog;
}

/** The operator page of the demo. It may withdraw requests, because only the user has access to it. */
export function createDemoOperatorPage(options: {
  origin: string;
  stores: OperatorStores;
  runtime: Runtime;
  onError: (error: unknown) => void;
}) {
  const { origin, stores, runtime, onError } = options;
  return createOperatorPage({
    ...stores,
    origin,
    basePath: OPERATOR_PATH,
    authenticate: whoeverIsHere,
    elicitations: runtime.elicitations,
    allowWithdraw: true,
    brand: { name: "Demo agent" },
    onError,
  });
}

/**
 * The demo has no accounts for operators. Requests with the host name of another machine, such as a tunnel, get no
 * operator.
 */
function whoeverIsHere(request: Request): { id: string } | null {
  return new URL(request.url).hostname === "localhost" ? { id: "demo" } : null;
}
