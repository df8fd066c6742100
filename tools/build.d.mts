export function buildKit(): Promise<boolean>;
export function buildDemoPage(): Promise<void>;
