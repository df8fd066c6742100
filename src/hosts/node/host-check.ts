/** A name that only this machine answers to. `*.localhost` never leaves it (RFC 6761). */
const LOCAL_NAME = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/;
const LOCAL_ADDRESS = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|::1)$/;

/**
 * Whether requests may name this host. A web page whose name resolves to a loopback address reaches local servers past
 * the same-origin policy (DNS rebinding); its requests still carry its own name.
 */
export function hostCheck(
  listensOn: string,
  allowed: readonly string[] | undefined,
): (hostname: string) => boolean {
  if (allowed === undefined && !LOCAL_ADDRESS.test(listensOn)) return () => true;
  const names = new Set(allowed?.map((name) => name.toLowerCase()));
  return (hostname) => LOCAL_NAME.test(hostname) || names.has(hostname);
}
