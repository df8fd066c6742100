import { isObject } from "../../../contract/json.ts";
import { type SlackBody, field, text } from "./fields.ts";

/** Where an app is installed: a workspace, or a whole organisation. Determines the token for calls to Slack. */
export interface SlackInstallation {
  readonly team: string | undefined;
  readonly enterprise: string | undefined;
  readonly isOrgInstall: boolean;
}

/** The installation of an interaction, an event's envelope or a command. */
export function installationOf(body: SlackBody): SlackInstallation {
  const { team, enterprise, authorizations } = body;
  const first: unknown = Array.isArray(authorizations) ? authorizations[0] : undefined;
  const authorization = isObject(first) ? first : {};
  const isOrgInstall = [body["is_enterprise_install"], authorization["is_enterprise_install"]].some(
    (flag) => flag === true || flag === "true",
  );
  return {
    team: text(authorization["team_id"]) ?? field(team, "id") ?? text(body["team_id"]),
    enterprise:
      text(authorization["enterprise_id"]) ?? field(enterprise, "id") ?? text(body["enterprise_id"]),
    isOrgInstall,
  };
}
