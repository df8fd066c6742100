export function buildKit(): Promise<boolean>;
export function buildDemoPage(): Promise<void>;
export function buildDemoServers(): Promise<void>;
export function buildHostPage(): Promise<void>;
export function buildSlackPage(): Promise<void>;
