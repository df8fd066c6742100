import { useEffect, useLayoutEffect } from "react";

/**
 * Runs before paint. On a server it is `useEffect`, which does not run there, because React 18 warns about layout
 * effects.
 */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
