import { type NextRequest, NextResponse } from "next/server";
import { pageOrigin } from "./agent/github";

// The page where users connect an account has an origin of its own, and the chat is not on it: otherwise a script of the
// chat could press the page's buttons.
export function proxy(request: NextRequest) {
  const isPageOrigin = request.headers.get("host") === new URL(pageOrigin).host;
  const isPage = request.nextUrl.pathname.startsWith("/auth/");
  return isPageOrigin && !isPage ? new NextResponse(null, { status: 404 }) : NextResponse.next();
}
