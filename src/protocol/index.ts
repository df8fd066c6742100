export * from "./contract.ts";
export * from "./guard.ts";
export * from "./schema.ts";
