export const reportError = (error: unknown): void => console.error("elicit-kit demo:", error);
