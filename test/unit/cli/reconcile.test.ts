import { describe, expect, it } from "vitest";
import { exitCodes } from "../../../cli/cli-error.ts";
import { command, continuing } from "../../../cli/commands/reconcile.ts";
import { createOutput } from "../../../cli/output.ts";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import type { AppResult } from "../../../lib/operate/reconcile/reconcile-result.ts";

const since = Date.parse("2026-11-16T13:30:00Z") / 1_000;

it.each([
  [{}, ""],
  [{ until: since + 3_600, appIds: ["shop", "club"] }, " --until 2026-11-16T14:30:00Z --app shop --app club"],
])("names the command that continues a run, with the same start", (more, rest) => {
  expect(continuing({ since, ...more })).toBe(
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

  const { exitCode, shown } = await run({ since: ["4h"], dryRun: ["true"] }, async () => answer);

  expect(exitCode, shown.join("")).toBe(exitCodes[end]);
});

describe("handing over", () => {
  const again = "npx cometchat-functions reconcile --since 2026-11-16T14:30:00Z";

  it("continues while an app without an error is incomplete, without those that are complete", async () => {
    const asked: unknown[] = [];
    const dead = { appId: "dead", error: "its key is refused" };
    const runs = [
      [dead, handedOver("shop", false), handedOver("club", true)],
      [dead, handedOver("shop", false)],
      [dead, handedOver("shop", true)],
    ];
    const { exitCode, shown } = await run({ since: ["4h"] }, async ({ input }) => {
      const { appIds } = Object(input);
      asked.push(appIds);
      return answerOf(runs[asked.length - 1] ?? []);
    });

    expect(asked).toEqual([undefined, ["dead", "shop"], ["dead", "shop"]]);
    const text = shown.join("");
    expect(text).toContain("dead: its key is refused");
    expect(text).toContain("shop: 3 of 3 messages handed over");
    expect(text).toContain("club: 1 of 1 message handed over");
    expect(text).toContain(`${again}\n`);
    expect(exitCode).toBe(exitCodes.partlyDone);
  });

  it("keeps what an app handed over before it failed", async () => {
    const failed = { appId: "shop", error: "the queue is busy" };
    const runs = [
      [handedOver("shop", false), handedOver("club", false)],
      [failed, handedOver("club", true)],
    ];
    const { shown } = await run({ since: ["4h"] }, async () => answerOf(runs.shift() ?? []));

    expect(shown.join("")).toContain("shop: the queue is busy\nshop: 1 of 1 message handed over");
  });

  it.each([
    ["a lost answer", async () => Promise.reject(noAnswer)],
    ["an answer that cannot be read", async () => ({ errorType: "Runtime.ExitError", errorMessage: "" })],
  ])("names the command that continues, with the same start, after %s", async (_case, call) => {
    const { error, shown } = await run({ since: ["4h"] }, call);

    expect(error).toBeInstanceOf(Error);
    expect(shown.join("")).toContain(`${again}\n`);
  });

  it("names it before a second Ctrl-C, which ends the process", async () => {
    const { shown } = await run({ since: ["4h"] }, async (_request, ctrlC, soFar) => {
      ctrlC.abort();
      expect(soFar.join("")).toContain(`${again}\n`);
      return answerOf([handedOver("shop", true)]);
    });

    expect(shown.join("")).toContain("1 of 1 message handed over");
  });

  it("names no command after a refused request", async () => {
    const refusal = { errorType: "ReconcileRequestError", errorMessage: '"appIds" must name apps.' };
    const { error, shown } = await run({ since: ["4h"] }, async () => refusal);

    expect(error).toMatchObject({ exitCode: exitCodes.wrongUse });
    expect(shown.join("")).not.toContain("reconcile --since");
  });
});

const noAnswer = new AwsCallError(
  { service: "lambda", target: "Invoke", input: {} },
  { code: "TimeoutError", maybeExecuted: true },
);

function handedOver(appId: string, isComplete: boolean) {
  const sums = { listed: 1, handedOver: 1, passedOver: 0, refused: 0 };
  return { appId, handedOver: { since: since + 3_600, until: since + 7_200, ...sums, isComplete } };
}

function answerOf(apps: readonly AppResult[]) {
  const isComplete = apps.every((app) => app.handedOver?.isComplete === true);
  return { rehearsal: false, isComplete, apps };
}

type Call = (
  request: { readonly input: unknown },
  ctrlC: AbortController,
  shown: readonly string[],
) => Promise<unknown>;

async function run(typed: Record<string, string[]>, call: Call) {
  const shown: string[] = [];
  const sink = { write: (text: string) => void shown.push(text), isTerminal: false };
  const now = () => (since + 5 * 3_600) * 1_000;
  const ctrlC = new AbortController();
  const context = {
    out: createOutput({ stdout: sink, stderr: sink, isJson: false, hasColours: false, now }),
    edges: { now, signal: ctrlC.signal },
    confirm: async () => undefined,
    openTarget: async () => ({
      aheadMs: 0,
      callAws: (request: { readonly input: unknown }) => call(request, ctrlC, shown),
      stack: async () => ({ physicalId: () => "reconcile" }),
    }),
  } as unknown as Parameters<typeof command.perform>[1];
  return command.perform(typed, context).then(
    (exitCode) => ({ exitCode, error: undefined, shown }),
    (error: unknown) => ({ exitCode: undefined, error, shown }),
  );
}
