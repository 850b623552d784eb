import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createOutput } from "../../../../cli/output.ts";
import { openLooks } from "../../../../cli/see/look-again.ts";
import { endOf, printStatus, type Status } from "../../../../cli/see/status.ts";

const denied = Object.assign(new Error("User: u is not authorized to perform: logs:FilterLogEvents on r"), {
  name: "AccessDeniedException",
});

it("reports failed and unanswered reads once, and continues", async () => {
  const { look, unseen } = openLooks({ sleep: () => setImmediate() });
  const fail = async () => {
    throw denied;
  };

  const results = [
    await look("again", "the log", fail, "nothing"),
    await look("again", "the log", fail, "nothing"),
    await look("again", "alarms", () => new Promise<never>(() => {}), "nothing"),
    await look("again", "queues", async () => "found", "nothing"),
  ];

  expect(results).toEqual(["nothing", "nothing", "nothing", "found"]);
  expect(unseen()).toEqual([
    {
      what: "the log",
      why: "These credentials may not read it (no right: logs:FilterLogEvents).",
      because: "no right",
    },
    { what: "alarms", why: "It took longer than 45 s.", because: "no answer" },
  ]);
});

it("shows the command that makes an unreadable source readable", () => {
  const notLookedAt = [{ what: "failures", why: "There is no log.", because: undefined, type: "make it" }];

  expect(print({ ...empty, notLookedAt })).toContain(
    "– not looked at: failures. There is no log.  → make it",
  );
  expect(endOf({ ...empty, notLookedAt })).toBe("unwell");
  expect(endOf({ ...empty, notLookedAt: [{ what: "queues", why: "Gone.", because: "gone" }] })).toBe(
    "unwell",
  );
});

it("reserves each step a share of the total time", async () => {
  let nowMs = 0;
  const asked: number[] = [];
  const sleep = async (ms: number) => {
    asked.push(ms);
    nowMs += ms;
  };
  const { look } = openLooks({ sleep, now: () => nowMs });

  for (const step of ["functions", "deployment", "apps", "again"] as const)
    await look(step, step, () => new Promise<never>(() => {}), undefined);

  expect(asked).toEqual([10_000, 10_000, 12_000, 13_000]);
});

it.each([
  ["refused", "no right", false],
  ["left out", undefined, false],
  ["undecided for lack of an event", "no event", false],
] as const)("does not report that all is healthy if a read was %s", (_case, because, isWell) => {
  const notLookedAt = [{ what: "alarms", why: "Because.", because }];
  const shown = print({ ...empty, notLookedAt });

  expect(shown.includes("nothing that is looked at needs attention")).toBe(isWell);
  const what = because === "no event" ? "not known yet" : "not looked at";
  expect(shown).toContain(`– ${what}: alarms. Because.`);
});

it("reports that conversations may be parked, which no queue shows during a pause", () => {
  const app = { appId: "a", handledPerMinute: 0, closed: [], isInTrouble: true, paused: [] };

  expect(print({ ...empty, apps: [app] })).toContain("conversations are parked, or were within the hour");
});

it("describes an app's closed and paused targets in plain words", () => {
  const app = { appId: "a", handledPerMinute: 0, isInTrouble: false };
  const closed = ["burials", "api.example write"];
  const shown = print({ ...empty, apps: [{ ...app, closed, paused: ["lease", "trigger:greet"] }] });

  expect(shown).toMatch(
    / paused: trigger:greet; a listener acts; closed: api\.example write; events are held back: too many are dead-lettered\n/,
  );
});

it("reports each pause once, and a listener not as a pause", () => {
  const pause = { app: "a", by: "ann", reason: undefined, waiting: undefined, since: "T1", until: "T2" };
  const shown = print({
    ...empty,
    pauses: ["app:a", "trigger:greet", "listen"].map((what) => ({ ...pause, what })),
  });

  expect(shown).toContain("\napp:a is paused since T1 until T2\n");
  expect(shown).toContain("\ntrigger:greet of app a is paused since T1 until T2\n");
  expect(shown).toContain("\nA listener acts for app a in the deployment's place since T1 until T2\n");
});

function print(status: Status) {
  const lines: string[] = [];
  const sink = { write: (text: string) => lines.push(text), isTerminal: false };
  printStatus(
    status,
    createOutput({ stdout: sink, stderr: sink, isJson: false, hasColours: false, now: () => 0 }),
  );
  return lines.join("");
}

const empty: Status = {
  at: "2026-01-01T00:00:00Z",
  stack: "UPDATE_COMPLETE",
  troubles: [],
  notLookedAt: [],
  queues: [],
  functions: [],
  apps: [],
  pauses: [],
  target: { kind: "stage", stage: "prod", region: "r", account: "1", outputs: {} },
};
