import { expect } from "vitest";
import { messageOf } from "../../extras/slack/thread/thread-messages.ts";
import { installationOf } from "../../extras/slack/wire/payload.ts";
import { fieldCase } from "./field-case.ts";

const read = (words: string): string => messageOf("1.0", words, "UBOT").parts[0].text;

fieldCase(
  { sources: ["operable/cog#121", "scrapinghub/slackbot#86"], before: "failed" },
  "an agent in Slack reads addresses, links, channels and mentions as the user sees them",
  () => {
    const shown: readonly (readonly [string, string])[] = [
      ["write to <mailto:ada@example.com|ada@example.com> today", "write to ada@example.com today"],
      ["<tel:+4930123|030 123>", "030 123"],
      ["see <https://example.com/a?b=1&amp;c=2>", "see https://example.com/a?b=1&c=2"],
      ["see <http://example.com|example.com>", "see example.com"],
      ["see <https://example.com/|https://example.com>", "see https://example.com"],
      ["see <https://example.com/a|the plan>", "see the plan (https://example.com/a)"],
      ["in <#C0123|general>", "in #general"],
      ["in <#C0123>", "in #C0123"],
      ["in <#C0123|>", "in #C0123"],
      ["ask <@U0123|grace>", "ask @grace"],
      ["ask <@U0123>", "ask @U0123"],
      ["<!here> and <!subteam^S1|@team>", "@here and @team"],
      ["on <!date^1392734382^{date}|18 February>", "on 18 February"],
    ];
    for (const [sent, expected] of shown) expect(read(sent)).toBe(expected);
  },
);

fieldCase(
  { sources: ["scrapinghub/slackbot#86"], before: "passed" },
  "an agent in Slack reads angle brackets that the user typed as they are",
  () => {
    expect(read("<@UBOT> is 1 &lt; 2 &amp;&amp; 3 &gt; 2?")).toBe("is 1 < 2 && 3 > 2?");
    expect(read("print &lt;https://example.com|x&gt;")).toBe("print <https://example.com|x>");
  },
);

fieldCase(
  {
    sources: ["slackapi/bolt-js#1614", "slackapi/bolt-python#734", "slackapi/bolt-python#767"],
    before: "failed",
  },
  "a modal that a guest of Slack Connect submits uses the token of the workspace that has the app",
  () => {
    const guest = { user: { id: "UEVE", team_id: "TGUEST" }, team: { id: "TGUEST" }, enterprise: null };
    for (const type of ["view_submission", "view_closed", "block_actions", "block_suggestion"]) {
      const body = { ...guest, type, view: { team_id: "TGUEST", app_installed_team_id: "THOST" } };
      expect(installationOf(body)).toMatchObject({ team: "THOST" });
    }
    expect(installationOf({ ...guest, view: { app_installed_team_id: null } })).toMatchObject({
      team: "TGUEST",
    });
  },
);

fieldCase(
  { sources: ["slackapi/bolt-js#1720"], before: "failed" },
  "a modal whose app an organisation has installed names the workspace, and not the organisation, as the workspace",
  () => {
    const body = {
      type: "view_submission",
      team: { id: "TMEMBER" },
      enterprise: { id: "EORG" },
      view: { team_id: "TMEMBER", app_installed_team_id: "EORG" },
    };
    for (const isOrgInstall of [true, false]) {
      const installation = installationOf({ ...body, is_enterprise_install: isOrgInstall });
      expect(installation).toEqual({ team: "TMEMBER", enterprise: "EORG", isOrgInstall });
    }
  },
);
