import { AgentCard } from "@a2a-js/sdk";
import { ELICITATION_EXTENSION } from "../../../src/a2a/wire/translate.ts";

/** The description of the agent in its agent card, as JSON of the protocol. */
export interface A2aAgentCard {
  readonly name: string;
  /** The abilities of the agent. Other agents read this to choose one. */
  readonly description: string;
  /** @default "1.0.0" */
  readonly version?: string | undefined;
  readonly provider?: { readonly organization: string; readonly url: string } | undefined;
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
  /** @default one skill, with the name and the description of the agent */
  readonly skills?:
    | readonly {
        readonly id: string;
        readonly name: string;
        readonly description: string;
        readonly tags: readonly string[];
        readonly examples?: readonly string[] | undefined;
      }[]
    | undefined;
  /** How callers authenticate. @default `{ bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } }` */
  readonly securitySchemes?: Readonly<Record<string, object>> | undefined;
  /**
   * The schemes that an HTTP request needs: one of these sets, with scopes. @default each scheme alone, without scopes
   */
  readonly securityRequirements?:
    | readonly { readonly schemes: Readonly<Record<string, { readonly list: readonly string[] }>> }[]
    | undefined;
}

/** Versions and bindings of the endpoint, the preferred one first. */
const INTERFACES = [
  { protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  { protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  { protocolBinding: "JSONRPC", protocolVersion: "0.3" },
] as const;

const BEARER = { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } };

/** Builds the agent card of an endpoint at `url`. */
export function agentCardOf(about: A2aAgentCard, url: string): AgentCard {
  const { name, description, version = "1.0.0", securitySchemes = BEARER, ...more } = about;
  return AgentCard.fromJSON({
    skills: [{ id: "ask", name, description, tags: ["agent"] }],
    securityRequirements: Object.keys(securitySchemes).map((scheme) => ({
      schemes: { [scheme]: { list: [] } },
    })),
    ...more,
    name,
    description,
    version,
    securitySchemes,
    supportedInterfaces: INTERFACES.map((supported) => ({ ...supported, url })),
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: ELICITATION_EXTENSION,
          description: "Asks the person by forms and pages",
          required: false,
          params: { modes: ["form", "url"] },
        },
      ],
    },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain"],
  });
}
