import { describe, expect, it } from "vitest";
import { refuseLoss, refuseOlderPackage, refuseTogether } from "../../../cli/deploy/refuse-loss.ts";
import { wouldLose } from "../../../cli/stack/changes.ts";

const templateOf = (address: string | undefined, retention = 1) =>
  JSON.stringify({
    Outputs: address && { Addresses: { Value: address } },
    Resources: {
      DeadLetterQueue: { Type: "AWS::SQS::Queue", Properties: { MessageRetentionPeriod: retention } },
    },
  });

function refuse(
  allowLoss: boolean,
  { address = "a", denies = false, way = "deploy" as "deploy" | "rollback" } = {},
) {
  const notes: string[] = [];
  const callAws = async () => {
    if (denies) throw new Error("AWS denies it");
    return {
      Attributes: {
        ApproximateNumberOfMessages: "3",
        ApproximateNumberOfMessagesNotVisible: "0",
        ApproximateNumberOfMessagesDelayed: "0",
      },
    };
  };
  const resources = new Map([
    ["DeadLetterQueue", { type: "AWS::SQS::Queue", physicalId: "https://sqs/dead" }],
  ]);
  const context = {
    target: { stage: "prod", stackName: "shop-prod", callAws, rereadStack: async () => ({ resources }) },
    edges: { signal: new AbortController().signal },
    out: { note: (text: string) => void notes.push(text) },
  } as never;
  const change = {
    before: { outputs: { HttpApiUrl: "https://api/a", Addresses: "a,b" } } as never,
    running: templateOf("a,b", 2),
    changes: [{ action: "remove", logicalId: "CallsQueue", type: "AWS::SQS::Queue", isKept: false } as const],
    template: templateOf(address),
    allowLoss,
    way,
  };
  return { notes, refused: refuseLoss(context, change) };
}

const lost = "This would destroy CallsQueue (the events that wait in it).";
const expired =
  "Messages older than the new retention would be deleted from queues that hold messages: DeadLetterQueue (3).";
const unserved =
  'The deployed address "a" is not one that this package serves: webhooks that use it would be answered 404.';

describe("refuseLoss", () => {
  it("names all losses together", async () => {
    const { refused } = refuse(false, { address: "other" });

    await expect(refused).rejects.toMatchObject({
      code: "WOULD_LOSE",
      message: [unserved, lost, expired, "Nothing was changed."].join("\n"),
      hint: expect.stringMatching(/addresses(?![\s\S]*--allow-loss)/),
    });
  });

  it("notes each loss that --allow-loss permits", async () => {
    const { notes, refused } = refuse(true);

    await refused;
    expect(notes).toEqual([`! ${lost}`, `! ${expired}`]);
  });

  it.each([
    ["deploy", /config\/stages\.yml.*setup --new-address$/],
    ["rollback", /^Check out the version of that package with today's `addresses`/],
  ] as const)("refuses a package without the address also with --allow-loss: %s", async (way, hint) => {
    const { refused } = refuse(true, { address: "other", way });

    await expect(refused).rejects.toMatchObject({
      message: `${unserved} Nothing was changed.`,
      hint: expect.stringMatching(hint),
    });
    await expect(refused).rejects.not.toMatchObject({ hint: expect.stringContaining("--allow-loss") });
  });

  it("stops at a check that fails, but with --allow-loss notes it", async () => {
    const { refused } = refuse(false, { denies: true });
    const allowed = refuse(true, { denies: true });

    await expect(refused).rejects.toThrow("AWS denies it");
    await allowed.refused;
    expect(allowed.notes).toEqual([
      `! ${lost}`,
      expect.stringMatching(/^! What would be lost was not checked: /),
    ]);
  });
});

it("refuseTogether throws a single refusal unchanged, and nothing without one", () => {
  const one = wouldLose("A table would go.", "Keep it.");

  expect(() => refuseTogether([one])).toThrow(one);
  expect(() => refuseTogether([])).not.toThrow();
});

describe("refuseOlderPackage", () => {
  const [older, newer] = ["1767261600000-2026-01-01T10:00:00.000Z", "1767268800000-2026-01-01T12:00:00.000Z"];

  it.each([
    ["packages", "npx cometchat-functions rollback --stage prod"],
    [undefined, "git pull, and run this again."],
  ])("refuses a package that was made before the running one: %s", (folder, hint) => {
    expect(() => refuseOlderPackage(older, newer, { stage: "prod", package: folder })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/2026-01-01T10:00:00.000Z.*2026-01-01T12:00:00.000Z/),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it.each([
    [newer, older],
    [newer, newer],
    [undefined, newer],
    [newer, undefined],
  ])("accepts %s over %s", (made, live) => {
    expect(() => refuseOlderPackage(made, live, { stage: "prod", package: undefined })).not.toThrow();
  });
});
