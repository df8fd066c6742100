import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { isSignedIn } from "../../agent/session";

/** Only signed-in users can chat, because the runtime asks no one else. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  if (!(await isSignedIn())) redirect("/");
  return children;
}
