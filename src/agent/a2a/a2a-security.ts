import type { AgentCard, SecurityScheme } from "@a2a-js/sdk";
import { isObject } from "../../contract/json.ts";
import { scopesOf } from "../../connect/oauth/challenge.ts";
import type { A2aAgent } from "./a2a-agent.ts";
import { ToolFailure } from "../../base/tool-failure.ts";

type CardSecurity = Pick<AgentCard, "securitySchemes" | "securityRequirements">;

/** A name that is safe to repeat in an error. */
const PARAMETER = /^[\w-]{1,64}$/;

/**
 * The card with its security schemes in the JSON of the protocol. The SDK's server (1.3.0) writes them as its internal
 * objects, which the SDK's client cannot read.
 */
export function withProtocolSchemes(card: unknown): unknown {
  const schemes = isObject(card) ? card["securitySchemes"] : undefined;
  if (!isObject(card) || !isObject(schemes)) return card;
  const entries = Object.entries(schemes).map(
    ([name, declared]) => [name, protocolScheme(declared)] as const,
  );
  return { ...card, securitySchemes: Object.fromEntries(entries) };
}

function protocolScheme(declared: unknown): unknown {
  // In cards of protocol 0.3, the `scheme` of HTTP is a string.
  const kept = isObject(declared) ? declared["scheme"] : undefined;
  const kind = isObject(kept) ? kept["$case"] : undefined;
  return isObject(kept) && typeof kind === "string" ? { [kind]: kept["value"] } : declared;
}

/** The scopes that a card names for sign-in: those of its first alternative with OAuth 2 or OpenID Connect. */
export function cardScopes(card: CardSecurity | undefined): readonly string[] {
  for (const [name, scopes] of requirementsOf(card)) {
    const kind = schemeOf(card, name)?.$case;
    if (kind === "oauth2SecurityScheme" || kind === "openIdConnectSecurityScheme") return scopesOf(scopes);
  }
  return [];
}

/**
 * Throws if the card accepts only an API key and the operator has not configured where it is sent, because a token would
 * not help.
 */
export function checkCardSecurity(agent: A2aAgent, card: CardSecurity): void {
  if (agent.credentialScope !== "user" || agent.apiKey !== undefined) return;
  const schemes = requirementsOf(card).map(([name]) => schemeOf(card, name));
  const [first] = schemes;
  const isKey = schemes.every((scheme) => scheme?.$case === "apiKeySecurityScheme");
  if (first?.$case !== "apiKeySecurityScheme" || !isKey) return;
  const { location, name } = first.value;
  const place = location === "query" ? "query" : "header";
  const key = PARAMETER.test(name) ? name : "…";
  throw new ToolFailure(
    `elicit-kit: the card of ${agent.service} asks for an API key. Set \`apiKey: { ${place}: "${key}" }\` for this agent, so that the user is asked for a key and it is sent there.`,
  );
}

/** The schemes of all alternatives, with the scopes that each needs. Cards of protocol 0.3 may lack the lists. */
function requirementsOf(
  card: Partial<CardSecurity> | undefined,
): readonly (readonly [string, readonly string[]])[] {
  return (card?.securityRequirements ?? []).flatMap(({ schemes }) =>
    Object.entries(schemes).map(([name, { list }]) => [name, list] as const),
  );
}

function schemeOf(card: Partial<CardSecurity> | undefined, name: string): SecurityScheme["scheme"] {
  const { securitySchemes = {} } = card ?? {};
  return Object.hasOwn(securitySchemes, name) ? securitySchemes[name]?.scheme : undefined;
}
