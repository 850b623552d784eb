import { expect, it } from "vitest";
import type { Command } from "../../../cli/command.ts";
import { command as pause } from "../../../cli/commands/pause.ts";
import { command as resume } from "../../../cli/commands/resume.ts";
import { command as rotate } from "../../../cli/commands/rotate.ts";
import { createOutput } from "../../../cli/output.ts";
import { toFailure } from "../../../cli/to-failure.ts";
import { type AwsCall, AwsCallError } from "../../../lib/aws/aws-call.ts";
import { TableService } from "../../../local/cloud/table/table-service.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import type { Files } from "../../helpers/write-files.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const facts = { appIds: ["app-1", "app-2", "app-3"], flows: [], needs: [], canaries: [] };
const triggers = [{ name: "auto-reply", isShadowed: false }];

const version = { VersionId: "v1", VersionStages: ["AWSCURRENT"], CreatedDate: nowMs / 1_000 };
const secretAnswers: Readonly<Record<string, object>> = {
  DescribeSecret: { ARN: "arn:secret", VersionIdsToStages: { v1: ["AWSCURRENT"] } },
  ListSecretVersionIds: { ARN: "arn:secret", Versions: [version] },
  GetSecretValue: { ...version, ARN: "arn:secret", SecretString: "{}" },
};

/** An account of three apps; `isDown` selects the calls that fail. */
function openAccount(files: Files = {}) {
  const service = new TableService({ now: () => nowMs });
  const keys = ["lane", "item"];
  service.ensure(
    {
      TableName: "LanesTable",
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: keys.map((AttributeName, index) => ({
        AttributeName,
        KeyType: index === 0 ? "HASH" : "RANGE",
      })),
    },
    "us-east-1",
  );
  const faults = { isDown: (_call: AwsCall) => false };
  const callAws = async (call: AwsCall) => {
    if (faults.isDown(call))
      throw new AwsCallError(call, { code: "SlowDown", status: 503, maybeExecuted: false });
    if (call.service === "lambda") return { ...facts, triggers };
    if (call.service === "sqs") return {};
    if (call.service === "secretsmanager") return secretAnswers[call.target.split(".")[1] ?? ""] ?? {};
    return service.call(call.target.slice(call.target.indexOf(".") + 1), call.input);
  };
  const sink = { write: () => {}, isTerminal: false };
  const now = () => nowMs;
  const context = {
    out: createOutput({ stdout: sink, stderr: sink, isJson: false, hasColours: false, now }),
    edges: {
      projectFolder: temporaryFolder(files),
      now,
      token: () => "t-1",
      signal: new AbortController().signal,
    },
    confirm: async () => {},
    openTarget: async () => ({
      aheadMs: 0,
      title: "stage prod",
      stage: "prod",
      identity: "me",
      callAws,
      stack: async () => ({ physicalId: (id: string) => id, output: (name: string) => name }),
    }),
  } as unknown as Parameters<Command["perform"]>[1];
  return { context, faults };
}

const onAll = { what: ["trigger:auto-reply"], allApps: ["true"] };

it("pause names the apps that it paused before it failed, and the command that continues", async () => {
  const { context, faults } = openAccount();
  faults.isDown = ({ target, input }) =>
    /UpdateItem$/.test(target) && JSON.stringify(input).includes("app-3");

  const typed = { ...onAll, for: ["2h"], reason: ["it's wrong"] };
  const failure = toFailure(await pause.perform(typed, context).catch((error: unknown) => error));

  expect(failure).toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(/SlowDown.* Already paused: app-1, app-2 \(2 of 3\)\.$/s),
    hint: expect.stringMatching(
      /\nThen continue: npx cometchat-functions pause trigger:auto-reply --all-apps --for 7200s --reason 'it'\\''s wrong'$/,
    ),
  });
});

it("pause names no finished part if it fails at the first app", async () => {
  const { context, faults } = openAccount();
  faults.isDown = ({ target }) => target.endsWith("UpdateItem");

  const failure = toFailure(await pause.perform(onAll, context).catch((error: unknown) => error));

  expect(failure).toMatchObject({ exitCode: 5, message: expect.not.stringContaining("Already") });
});

it("resume names the apps that it resumed before it failed, and continues with the rest", async () => {
  const { context, faults } = openAccount();
  await pause.perform(onAll, context);
  faults.isDown = ({ service, input }) => service === "sqs" && JSON.stringify(input).includes("app-2");

  const failure = toFailure(await resume.perform(onAll, context).catch((error: unknown) => error));
  faults.isDown = () => false;
  const exitCodes = [await resume.perform(onAll, context)];
  const over = toFailure(await resume.perform(onAll, context).catch((error: unknown) => error));

  expect(failure).toMatchObject({
    exitCode: 7,
    message: expect.stringContaining(" Already resumed: app-1 (1 of 3)."),
    hint: expect.stringMatching(
      /\nThen continue: npx cometchat-functions resume trigger:auto-reply --all-apps$/,
    ),
  });
  expect([...exitCodes, over.code]).toEqual([0, "NOT_PAUSED"]);
});

it("rotate schedule names the secrets that it changed before it failed", async () => {
  const { context, faults } = openAccount({
    "package.json": "{}",
    "config/apps.yml": "prod:\n  - app-1\n",
    "config/stages.yml": "prod:\n",
    "config/rotation.yml": "rotate: [api-key, webhook-password]\n",
  });
  faults.isDown = ({ target, input }) =>
    target.endsWith("RotateSecret") && JSON.stringify(input).includes('app-1"');

  const typed = { what: ["schedule"], app: ["app-1"] };
  const failure = toFailure(await rotate.perform(typed, context).catch((error: unknown) => error));

  expect(failure).toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(
      /RotateSecret failed with SlowDown.* Already changed: \S+\/app-1\/webhook \(1 of 2\)\.$/s,
    ),
    hint: expect.stringMatching(/\nThen continue: npx cometchat-functions rotate schedule --app app-1$/),
  });
});
