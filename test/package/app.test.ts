import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isNight } from "../helpers/by-day.ts";
import { editFile } from "../helpers/edit-file.ts";
import { type MadeApp, makeApp, startApp } from "../helpers/made-app.ts";

describe("an app that init makes", { timeout: 900_000 }, () => {
  let app: MadeApp;
  beforeAll(async () => {
    app = await makeApp();
  }, 900_000);
  afterAll(() => app.remove());

  // By day, test/functions/package.test.ts reads the same template.
  it.runIf(isNight)("is packaged with all that ships", async () => {
    const functions = read(app, "functions/own/functions.yml");
    write(app, "functions/own/functions.yml", `${functions}seed:\n  memorySize: 1024\n`);
    const { code, output } = await app.run("cometchat-functions", "package", "--stage", "prod");

    expect(code, output).toBe(0);
    const template = read(app, ".serverless/cloudformation-template-update-stack.json");
    const { Resources } = JSON.parse(template);
    const { Handler, FunctionName } = Resources.WebhookLambdaFunction.Properties;
    expect(FunctionName).toBe("my-app-prod-webhook");
    expect(Handler).toBe("node_modules/cometchat-functions/functions/webhook.handler");
    expect(Resources).toMatchObject({
      EventsQueue: { Properties: { QueueName: "my-app-prod-events.fifo" } },
      WebhookRole: { Type: "AWS::IAM::Role" },
      DeadLetterQueue: {},
    });
    expect(Resources.SeedLambdaFunction.Properties).toMatchObject({
      MemorySize: 1024,
      Handler: "node_modules/cometchat-functions/functions/seed.handler",
    });
    // config/triggers.yml does not name this stage.
    expect(Resources.ProcessEventsLambdaFunction.Properties.Environment.Variables.ENABLED_TRIGGERS).toBe("");
    const { Policies } = Resources.TellUserRole.Properties;
    expect(allowedBy(Policies)).toEqual([
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "secretsmanager:GetSecretValue",
    ]);
  });

  it("has mistakes in its code and its files told with their place", async () => {
    const edit = (file: string, change: (text: string) => string) => editFile(join(app.folder, file), change);

    edit("functions/own/triggers.ts", (text) => `${text}export const more = {\n`);
    edit("functions/own/functions.yml", (text) => text.replace("tell-user.handler", "tell-usr.handler"));
    edit("serverless.yml", (text) => `${text}custom: [\n`);
    const { code, output } = await app.run("cometchat-functions", "config");

    expect(code).toBe(1);
    expect(output).toMatch(/functions\/own\/triggers\.ts:\d+:\d+/);
    expect(output).toContain("tellUser: there is no functions/own/tell-usr.ts");
    expect(output).toMatch(/^serverless\.yml:\d+:\d+: /m);
    expect(output).not.toContain("lacks");
  });

  it("takes edits of its own code and configuration as they are made, and tells mistakes with their place", async () => {
    const started = startApp(app);
    const told = await started.until("Ctrl-C ends everything");
    write(app, "functions/own/triggers.ts", greetingTriggers);
    await started.until("Reloaded");

    await writeMessage(told);
    await started.until("greeted alice");
    write(app, "config/replies.yml", "rules:\n  - reciever: support\n    text: Hello\n");
    const mistake = await started.until("config/replies.yml:2:");

    expect(mistake).toContain("reciever");
  });

  it("does without a file of config/ and of functions/own/: the package has one", async () => {
    rmSync(join(app.folder, "config/replies.yml"));
    rmSync(join(app.folder, "functions/own/config-schemas.ts"));
    const { code, output } = await app.run("cometchat-functions", "config");

    expect(output).toContain("All of config/ fits");
    expect(code).toBe(0);
  });

  it.runIf(isNight)("says which packages are missing, and what to type", async () => {
    rmSync(join(app.folder, "node_modules/esbuild")); // a link
    const { code, output } = await app.run("cometchat-functions", "start", "--port", "0");

    expect(output).toContain("npm install --save-dev esbuild@");
    expect(code).toBe(1);
  });
});

const greetingTriggers = `
import { onTrigger, type TriggerTable } from "cometchat-functions/triggers";

export const ownTriggers: TriggerTable = {
  "missed-call": onTrigger("message_sent", async ({ event, log }) => {
    log.info(\`greeted \${event.message.sender}\`, { appId: event.head.appId });
  }),
};
`;

interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly { Effect: string; Action: string | string[] }[] };
}

/** What a role may do, whatever with. */
function allowedBy(policies: readonly Policy[]): readonly string[] {
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return statements.flatMap(({ Effect, Action }) => (Effect === "Allow" ? Action : [])).toSorted();
}

function read({ folder }: MadeApp, file: string) {
  return readFileSync(join(folder, file), "utf8");
}

function write({ folder }: MadeApp, file: string, text: string) {
  writeFileSync(join(folder, file), text);
}

/** Sends what `npm start` shows a line of curl for. */
async function writeMessage(told: string) {
  const [, address = "", apiKey = ""] = /curl -s (\S+) -H 'apikey: (\w+)'/.exec(told) ?? [];
  const response = await fetch(address, {
    method: "POST",
    headers: { apikey: apiKey, onBehalfOf: "alice", "content-type": "application/json" },
    body: JSON.stringify({
      receiver: "support",
      receiverType: "user",
      type: "text",
      data: { text: "Hello" },
    }),
  });
  if (!response.ok) throw new Error(`The platform answered ${response.status}.`);
}
