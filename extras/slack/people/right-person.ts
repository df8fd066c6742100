import { field } from "../wire/payload.ts";

/** A user as Slack knows them. */
export interface SlackPerson {
  /** Such as `U012AB3CD`. */
  readonly user: string;
  /** The user's own workspace. With Slack Connect it differs from the channel's. */
  readonly team: string;
  /** The Enterprise Grid organisation of that workspace, if Slack names one. */
  readonly enterprise?: string | undefined;
}

/** The result of `mayPress`. Only `yes` permits the click. */
export type PressVerdict = "yes" | "other-person" | "other-team";

/**
 * Checks whether a user may press a button: only the user who was asked may, the same user of the same workspace.
 * Everyone in a channel sees the buttons, so each click and each submission is checked. In Enterprise Grid, payloads name
 * the workspace, the organisation, or another of its workspaces. User ids are unique within an organisation, so there the
 * organisation decides.
 */
export function mayPress(presser: SlackPerson, asked: SlackPerson): PressVerdict {
  if (presser.user === "" || presser.user !== asked.user) return "other-person";
  const isSameTeam = presser.team !== "" && presser.team === asked.team;
  const isSameOrganisation =
    presser.enterprise !== undefined && presser.enterprise !== "" && presser.enterprise === asked.enterprise;
  return isSameTeam || isSameOrganisation ? "yes" : "other-team";
}

/**
 * The user of an interaction. The organisation counts only for users of the workspace in the payload: in Slack Connect it
 * is the host's organisation, not the guest's.
 */
export function presserOf(payload: Readonly<Record<string, unknown>>): SlackPerson | undefined {
  const { user, team, enterprise } = payload;
  const id = field(user, "id");
  const workspace = field(team, "id");
  const organisation = field(enterprise, "id");
  const home = field(user, "team_id") ?? workspace;
  return id === undefined || home === undefined ? undefined : personOf(id, home, workspace, organisation);
}

/** The user of an event. `envelope` is the whole body, `event` is its inner event. */
export function authorOf(
  envelope: Readonly<Record<string, unknown>>,
  event: Readonly<Record<string, unknown>>,
): SlackPerson | undefined {
  const id = field(event, "user");
  const workspace = field(envelope, "team_id");
  const home = field(event, "user_team") ?? field(event, "team") ?? workspace;
  if (id === undefined || home === undefined) return undefined;
  return personOf(id, home, workspace, field(envelope, "enterprise_id"));
}

/**
 * The user in an `id_token` of *Sign in with Slack* (OpenID Connect). Pass the claims of a token whose signature, `iss`,
 * `aud`, `exp` and `nonce` your OpenID client has verified. E-mail address and name are ignored.
 */
export function personOfClaims(claims: unknown): SlackPerson | undefined {
  const [user, team] = [
    field(claims, "https://slack.com/user_id"),
    field(claims, "https://slack.com/team_id"),
  ];
  return user === undefined || team === undefined ? undefined : { user, team };
}

function personOf(
  user: string,
  team: string,
  workspace: string | undefined,
  organisation: string | undefined,
): SlackPerson {
  const isMember = organisation !== undefined && (team === workspace || team === organisation);
  return isMember ? { user, team, enterprise: organisation } : { user, team };
}
