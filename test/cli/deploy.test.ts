import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { createRunChat, type Ran, type RunChatOptions } from "../helpers/run-chat.ts";

const stackName = "cometchat-functions-prod";

describe("chat deploy", { timeout: 120_000 }, () => {
  let project: string;
  let packages: string;
  let account: Account;
  let nowMs = Date.now();

  const chat = (line: string, options: RunChatOptions = {}): Promise<Ran> =>
    createRunChat(project)(line.split(" "), {
      ...options,
      edges: {
        env: { ...process.env, ...account.env, CHAT_APP_ID: "an-app" },
        now: () => nowMs,
        sleep: async (ms) => {
          nowMs += ms;
        },
        ...options.edges,
      },
    });
  const deploy = (more = "--yes", options?: RunChatOptions) =>
    chat(`deploy --stage prod --region eu-central-1 --package ${packages} ${more}`, options);
  const stack = () => account.stacks.find(stackName);

  beforeAll(async () => {
    project = copyProject({});
    packages = mkdtempSync(join(tmpdir(), "package-"));
    account = await startAccount();
    const { exitCode, stderr } = await chat("deploy --stage prod --region eu-central-1 --rehearse --json");
    if (exitCode !== 0) throw new Error(stderr);
    await account.close();
    const { runServerless } = await import("../../cli/deploy/run-serverless.ts");
    await runServerless(["package", "--stage", "prod", "--region", "eu-central-1", "--package", packages], {
      projectFolder: project,
      env: { ...process.env, CHAT_APP_ID: "an-app" },
      signal: new AbortController().signal,
      onLine: () => {},
    });
  });
  afterAll(() => {
    removeCopy(project);
    rmSync(packages, { recursive: true, force: true });
  });
  beforeEach(async () => {
    account = await startAccount({ now: () => nowMs });
    return () => account.close();
  });

  it("creates a stage where there is none, and says what comes next", async () => {
    const { exitCode, stdout, stderr } = await deploy();

    expect(stderr).toContain("acts on stage prod (eu-central-1, account 123456789012)");
    expect(stderr).toMatch(/adds \d+: .*5 SQS Queue/);
    expect(stdout).toContain("Deployed for the first time.");
    expect(stdout).toMatch(/webhooks go to https:.*\/webhooks\/<appId>/);
    expect(exitCode).toBe(0);
    expect(stack()?.status).toBe("UPDATE_COMPLETE");
  });
});
