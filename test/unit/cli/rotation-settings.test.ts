import { expect, it } from "vitest";
import type { Command } from "../../../cli/command.ts";
import { command as rotate } from "../../../cli/commands/rotate.ts";
import { createOutput } from "../../../cli/output.ts";
import type { AwsCall } from "../../../lib/aws/aws-call.ts";
import { operations } from "../../../local/cloud/secret-operations.ts";
import { SecretStore } from "../../../local/cloud/secret-store.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const app = "app-1";

/** A stage of one app with these fields in its secret, and an overlap of a week in config/rotation.yml. */
function openStage(fields: object) {
  const store = new SecretStore();
  const callAws = async ({ target, input }: AwsCall) =>
    operations.get(target.split(".")[1] ?? "")?.(input, { store, nowMs, region: "us-east-1" });
  const call = (operation: string, input: AwsCall["input"]) =>
    callAws({ service: "secretsmanager", target: `secretsmanager.${operation}`, input });
  const create = (Name: string, value: object) =>
    call("CreateSecret", {
      Name,
      ClientRequestToken: crypto.randomUUID(),
      SecretString: JSON.stringify(value),
    });
  const written: string[] = [];
  const stdout = { write: (text: string) => void written.push(text), isTerminal: false };
  const now = () => nowMs;
  const out = createOutput({ stdout, stderr: stdout, isJson: false, hasColours: false, now });
  const target = {
    aheadMs: 0,
    title: "stage prod",
    stage: "prod",
    kind: "stage",
    identity: "me",
    callAws,
    stack: async () => ({
      physicalId: (id: string) => id,
      output: (name: string) => (name === "SecretPrefix" ? "prod" : `https://${name}.example`),
    }),
  };
  const edges = {
    projectFolder: temporaryFolder({
      "package.json": "{}",
      "config/apps.yml": `prod:\n  - ${app}\n`,
      "config/stages.yml": "prod:\n",
      "config/rotation.yml": "overlap: 7d\n",
    }),
    now,
    token: () => crypto.randomUUID(),
    signal: new AbortController().signal,
  };
  const context = { out, edges, confirm: async () => {}, openTarget: async () => target };
  return {
    fill: async () => {
      await create(`prod/${app}`, { appId: app, region: "us", apiKey: "new", ...fields });
      await create(`prod/${app}/webhook`, { appId: app, webhookUsername: "w", webhookPassword: "p" });
    },
    run: (words: Readonly<Record<string, readonly string[]>>) =>
      rotate.perform(words, context as unknown as Parameters<Command["perform"]>[1]),
    read: async () =>
      JSON.parse(Object(await call("GetSecretValue", { SecretId: `prod/${app}` })).SecretString),
    written: () => written.join(""),
  };
}

it("keeps what a scheduled rotation replaced for the overlap of config/rotation.yml", async () => {
  const stage = openStage({ rotating: "api-key", replacedApiKey: "old" });
  await stage.fill();

  await stage.run({ what: ["api-key"], dryRun: ["true"] });
  await stage.run({ what: ["finish"] });

  expect(stage.written()).toContain("Under way: keep what the API key replaced for 10080 min");
  expect(await stage.read()).toMatchObject({ replacedApiKeyUntil: "2026-03-09T08:00:00.000Z" });
});

it("keeps it for another time if `--overlap` is given", async () => {
  const stage = openStage({ rotating: "api-key", replacedApiKey: "old" });
  await stage.fill();

  await stage.run({ what: ["api-key"], overlap: ["2h"], dryRun: ["true"] });

  expect(stage.written()).toContain("replaced for 120 min");
});
