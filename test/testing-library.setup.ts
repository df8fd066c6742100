import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { patience } from "./patience.ts";

configure({ asyncUtilTimeout: patience.expect.poll.timeout });

// Also after tests of the guides, which leave this out. The next file runs in the same document.
afterEach(cleanup);
