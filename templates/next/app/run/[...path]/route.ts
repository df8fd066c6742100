import { toNextHandlers } from "elicit-kit/runtime";
import { started } from "../../../agent/runtime";

export const { GET, POST, OPTIONS } = toNextHandlers(async () => (await started()).runtime);
// Seconds that one response may last. Vercel refuses more than your plan allows; change the runtime's times with it.
export const maxDuration = 300;
