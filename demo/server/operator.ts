import { type OperatorPageOptions, createOperatorPage } from "elicit-kit/runtime/operator";
import type { Runtime } from "elicit-kit/runtime";

/** The path of the operator page, on the runtime's origin. */
export const OPERATOR_PATH = "/operator";

/** The operator page of the demo. It may withdraw requests, because only the user has access to it. */
export function createDemoOperatorPage(options: {
  origin: string;
  ports: OperatorPageOptions["ports"];
  runtime: Runtime;
  onError: (error: unknown) => void;
}) {
  const { origin, ports, runtime, onError } = options;
  return createOperatorPage({
    ports,
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
