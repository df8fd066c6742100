import type { AuthInfo } from "@modelcontextprotocol/server";

/** The user behind a token: its subject if the verifier provides one, else the token itself. */
export function subjectOfAuth(authInfo: AuthInfo | undefined): string | undefined {
  const { sub } = authInfo?.extra ?? {};
  return typeof sub === "string" ? sub : authInfo?.token;
}
