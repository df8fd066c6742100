import type { RequestedSchema } from "../../../protocol/contract.ts";
import type { ElicitationResult } from "../elicitation/question.ts";

type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;

/** What the model reads when a tool could not get the connection it needs (contract, sections 2 and 5). */
export function connectionRefusedText(refusal: Refusal, names: { tool: string; service: string }): string {
  const { tool, service } = names;
  const missing = "Authentication required but not provided";
  switch (refusal.outcome) {
    case "unsupported":
      return `${missing}. Tool "${tool}" requires user authentication: the user needs to connect their ${service} account before this tool can be used. Do not retry this tool.`;
    case "declined":
      return `${missing}: the user declined to connect ${service}. Do not ask again in this turn; say what is missing and how to connect it.`;
    case "failed":
      return `${missing}: connecting ${service} failed (${refusal.reason}).`;
    default:
      return `${missing}: ${commonText(refusal)}`;
  }
}

/** What the model reads when a tool could not get the facts it asked for (contract, sections 2 and 5). */
export function informationRefusedText(
  refusal: Refusal,
  names: { tool: string; requestedSchema: RequestedSchema },
): string {
  const missing = "The information was not provided";
  switch (refusal.outcome) {
    case "unsupported":
      return `Tool "${names.tool}" needs information only the user has: ${fieldNames(names.requestedSchema)}. Ask for it in your answer, or go on with defaults where they exist. Do not guess.`;
    case "declined":
      return `${missing}: the user declined to give it. Do not ask again in this turn; say what is missing.`;
    case "failed":
      return `${missing}: asking for it failed (${refusal.reason}).`;
    default:
      return `${missing}: ${commonText(refusal)}`;
  }
}

function commonText(refusal: Extract<Refusal, { outcome: "cancelled" | "expired" | "withdrawn" }>): string {
  if (refusal.outcome === "withdrawn") return "the request was withdrawn.";
  if (refusal.outcome === "expired") return `nobody answered within ${duration(refusal.afterMs)}.`;
  return "the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.";
}

function fieldNames(schema: RequestedSchema): string {
  return Object.entries(schema.properties)
    .map(([name, property]) => titleOf(property) ?? name)
    .join(", ");
}

function titleOf(property: unknown): string | undefined {
  if (typeof property !== "object" || property === null || !("title" in property)) return undefined;
  return typeof property.title === "string" ? property.title : undefined;
}

function duration(ms: number): string {
  const [count, unit] = ms % 60_000 === 0 ? [ms / 60_000, "minute"] : [Math.round(ms / 1000), "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
