import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MadeApp, makeApp, startApp } from "../helpers/made-app.ts";
import { packPackage } from "../helpers/packed-package.ts";

describe("an app that init makes", { timeout: 900_000 }, () => {
  let app: MadeApp;
  beforeAll(async () => {
    app = await makeApp(await packPackage());
  }, 900_000);
  afterAll(() => app.remove());

  it("has tests of its own trigger and its own function that pass, and types that fit", async () => {
    const tested = await app.run("vitest", "run", "--testTimeout=180000");
    const compiled = await app.run("tsc");

    expect(tested).toMatchObject({ code: 0, output: expect.stringMatching(/Tests\s+5 passed/) });
    expect(compiled).toEqual({ code: 0, output: "" });
  });

  it("is packaged with all that ships, in the sizes of this repository", async () => {
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
    expect(output).toMatch(/webhook +\d+\.\d +\d+\.\d/);
    const { Policies } = Resources.TellUserRole.Properties;
    expect(allowedBy(Policies)).toEqual([
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "secretsmanager:GetSecretValue",
    ]);
  });

  it("ends, and says what does not fit, with its place, where its code or its files are broken", async () => {
    const files = ["functions/own/triggers.ts", "functions/own/functions.yml", "serverless.yml"] as const;
    const [triggers = "", functions = "", service = ""] = files.map((file) => read(app, file));

    write(app, files[0], `${triggers}export const more = {\n`);
    const unbuilt = await app.run("cometchat-functions", "package");
    write(app, files[0], triggers);
    write(app, files[1], functions.replace("tell-user.handler", "tell-usr.handler"));
    const nowhere = await app.run("cometchat-functions", "package");
    write(app, files[1], functions);
    write(app, files[2], `${service}custom: [\n`);
    const unread = await app.run("cometchat-functions", "config");
    write(app, files[2], service);

    expect(unbuilt).toEqual({
      code: 1,
      output: expect.stringMatching(/functions\/own\/triggers\.ts:\d+:\d+/),
    });
    expect(nowhere).toEqual({
      code: 1,
      output: expect.stringContaining("tellUser: there is no functions/own/tell-usr.ts"),
    });
    expect(unread).toEqual({ code: 1, output: expect.stringMatching(/^serverless\.yml:\d+:\d+: /) });
    expect(unread.output).not.toContain("lacks");
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

  it("says which packages are missing, and what to type", async () => {
    rmSync(join(app.folder, "node_modules/esbuild"), { recursive: true });
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

function read({ folder }: MadeApp, file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function write({ folder }: MadeApp, file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

/** Sends what `npm start` shows a line of curl for. */
async function writeMessage(told: string): Promise<void> {
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
