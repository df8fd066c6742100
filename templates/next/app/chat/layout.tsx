import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { isSignedIn } from "../../agent/session";

/** The runtime asks nobody who is not signed in. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  if (!(await isSignedIn())) redirect("/");
  return children;
}
