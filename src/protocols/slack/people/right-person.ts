import { field } from "../wire/fields.ts";

/** A user as Slack knows them. */
export interface SlackPerson {
  /** Such as `U012AB3CD`. */
  readonly user: string;
  /** The workspace that they belong to: with Slack Connect another one than the channel's. */
  readonly team: string;
  /** The Enterprise Grid organisation of that workspace, where Slack says so. */
  readonly enterprise?: string | undefined;
}

/** The result of `mayPress`. Only `yes` permits the click. */
export type PressVerdict = "yes" | "other-person" | "other-team";

/**
 * Who may press this? Only the user who was asked: the same user of the same workspace. Everybody in a channel sees the
 * buttons, so each click and each submission is checked. In Enterprise Grid, Slack names the workspace in one payload and
 * the organisation, or another of its workspaces, in the next; ids of users are unique in an organisation, so there the
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
 * The user behind an interaction. The organisation counts only for people of the workspace that the payload is about: in
 * Slack Connect it is the host's, and not that of the guest.
 */
export function presserOf(payload: Readonly<Record<string, unknown>>): SlackPerson | undefined {
  const { user, team, enterprise } = payload;
  const id = field(user, "id");
  const workspace = field(team, "id");
  const organisation = field(enterprise, "id");
  const home = field(user, "team_id") ?? workspace;
  return id === undefined || home === undefined ? undefined : personOf(id, home, workspace, organisation);
}

/** The user behind an event. `envelope` is the whole body, `event` what is in it. */
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
 * The user whom Slack names in an `id_token` of *Sign in with Slack* (OpenID Connect). Pass the claims of a token that
 * your OpenID client has verified: its signature, `iss`, `aud`, `exp` and `nonce`. E-mail address and name are not read.
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
