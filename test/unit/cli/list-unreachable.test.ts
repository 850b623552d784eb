import { expect, it } from "vitest";
import { listUnreachable } from "../../../cli/people/open-person.ts";

it.each([
  [{}, 0],
  [{ deactivatedAt: 1_700_000_000 }, 1],
])("names the stores that the platform hides of a user with the profile %j", (profile, count) => {
  const findings = new Map([["platform profile", [{ id: "alice", content: { uid: "alice", ...profile } }]]]);

  const hidden = listUnreachable(findings, 0, {}).filter(({ what }) => /deactivated/.test(what));

  expect(hidden).toHaveLength(count);
});

it("names what the platform keeps and no store finds", () => {
  const found = listUnreachable(new Map(), 0, {}).map(({ what }) => what);

  for (const what of ["owner of a group", "notification preferences", "notification logs", "feed"])
    expect(found.join("\n")).toContain(what);
});

it.each([
  ["messages", {}, "1970-01-15"],
  ["messages", { queueSeconds: 864_000 }, "1970-01-11"],
  ["logs", {}, "1970-01-31"],
  ["logs", { logDays: 400 }, "1971-02-05"],
  ["the audit", { auditDays: 30 }, "1970-01-31"],
  ["point-in-time", { backupDays: 1 }, "1970-01-02"],
] as const)("returns until when %s are kept if the stage sets %j", (what, retention, day) => {
  const found = listUnreachable(new Map(), 0, retention).find((one) => one.what.startsWith(what));

  expect(found?.endsAt).toBe(`${day}T00:00:00.000Z`);
});
