import { toNextHandlers } from "elicit-kit/runtime";
import { pageOrigin } from "../../../agent/github";
import { started } from "../../../agent/runtime";

// The page where users connect an account, on its own origin only. Nothing else is there: see proxy.ts.
const { host } = new URL(pageOrigin);
export const { GET, POST } = toNextHandlers({
  async fetch(request) {
    if (request.headers.get("host") !== host) return new Response(null, { status: 404 });
    return (await started()).page.fetch(request);
  },
});
