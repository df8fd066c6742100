import { assignFor } from "../src/features/assign/assign.ts";
import { inboxFor } from "../src/features/inbox/inbox.ts";
import { noticesFor } from "../src/features/notices/notices.ts";
import { proposalsFor } from "../src/features/proposals/proposals.ts";
import { rememberFor } from "../src/features/remember/remember.ts";
import type { Features } from "../src/runtime/internal.ts";

/** The features of the mock server: all but receipts of accounts, because it stores no account. */
export const features: Features = {
  assign: assignFor,
  absence: noticesFor,
  sentences: proposalsFor,
  inbox: inboxFor,
  remember: rememberFor,
};
