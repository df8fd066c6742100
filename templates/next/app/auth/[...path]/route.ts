import { toNextHandlers } from "elicit-kit/runtime";
import { started } from "../../../agent/runtime";

// The page where users connect an account. On its own origin only: see proxy.ts.
export const { GET, POST } = toNextHandlers(async () => (await started()).page);
