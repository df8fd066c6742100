/** Wraps a listener. Its errors reach the page as uncaught errors, and not the stream that calls it. */
export function isolateErrors<Args extends unknown[]>(
  listener: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
  return (...args) => {
    try {
      listener?.(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
