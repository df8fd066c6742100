import { useEffect, useLayoutEffect } from "react";

/** Runs before paint; on a server, where React 18 warns about layout effects, it is an effect that never runs. */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
