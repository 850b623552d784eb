import { expect, it } from "vitest";
import { exitCodes } from "../../../cli/cli-error.ts";
import { command, continuing } from "../../../cli/commands/reconcile.ts";
import { createOutput } from "../../../cli/output.ts";

const since = Date.parse("2026-11-16T13:30:00Z") / 1_000;
const sums = { listed: 1, handedOver: 1, passedOver: 0, refused: 0, isComplete: false };
const apps = [{ appId: "shop", handedOver: { since, until: since + 3_600, ...sums } }];

it.each([
  [{ until: undefined, app: [] }, ""],
  [{ until: () => 0, app: ["shop", "club"] }, " --until 2026-11-16T14:30:00Z --app shop --app club"],
])("names the command that continues a run, with the same start", (options, rest) => {
  expect(continuing(apps, options)).toBe(
    `npx cometchat-functions reconcile --since 2026-11-16T13:30:00Z${rest}`,
  );
});

const hour = { hour: since, listed: 9, received: 9, neverReceived: 0, neverReceivedAtMost: 0 };
const lossy = { ...hour, received: 8, neverReceived: 1, neverReceivedAtMost: 1 };

it.each([
  ["compared every hour", [hour], true, "done"],
  ["could compare no hour", [], false, "partlyDone"],
  ["could compare some hours", [hour], false, "partlyDone"],
  ["found a lost message, and could not compare every hour", [lossy], false, "unwell"],
] as const)("exits with the matching code if a rehearsal %s", async (_case, hours, isComplete, end) => {
  const measured = { hours, isComplete };
  const answer = { rehearsal: true, isComplete, apps: [{ appId: "shop", measured }] };
  const shown: string[] = [];
  const sink = { write: (text: string) => void shown.push(text), isTerminal: false };
  const now = () => (since + 5 * 3_600) * 1_000;
  const context = {
    out: createOutput({ stdout: sink, stderr: sink, isJson: false, hasColours: false, now }),
    edges: { now, signal: new AbortController().signal },
    openTarget: async () => ({
      aheadMs: 0,
      callAws: async () => answer,
      stack: async () => ({ physicalId: () => "reconcile" }),
    }),
  } as unknown as Parameters<typeof command.perform>[1];

  const exitCode = await command.perform({ since: ["4h"], dryRun: ["true"] }, context);

  expect(exitCode, shown.join("")).toBe(exitCodes[end]);
});
