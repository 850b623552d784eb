import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";

const [app] = defaultSeed.apps;
const stdin = `${app.fullAccessKey}\n${JSON.stringify(defaultSeed.management)}`;
const fromNothing = [
  ...["setup", "--local", "--app", app.appId, "--app-region", "us"],
  ...["--api-key-stdin", "--management-stdin", "--yes"],
];

describe("chat setup", { timeout: 120_000 }, () => {
  const project = createProjectFolder();
  let platform: Platform;
  let cloud: Cloud;
  let chat: RunChat;

  beforeAll(async () => {
    platform = await createPlatform({ port: 0 });
    cloud = await startCloud({
      environment: {
        CHAT_BASE_URL_TEMPLATE: `${platform.url}/{appId}.{service}-{region}/v3`,
        CHAT_MANAGEMENT_URL: platform.managementUrl,
      },
    });
    chat = createRunChat(project.folder, cloud);
  });
  afterAll(async () => {
    await cloud?.close();
    await platform?.close();
    project.remove();
  });

  it("brings an app from nothing to its first answered message, and leaves it alone the next time", async () => {
    const first = await chat([...fromNothing, "--json"], { stdin });
    const second = await chat(["setup", "--local", "--yes", "--json"]);

    expect(first.exitCode, first.stderr + first.stdout).toBe(0);
    expect(first.json).toEqual([
      expect.objectContaining({
        secret: "made",
        deployment: "serves it already",
        webhook: expect.objectContaining({ outcome: "created", id: "functions" }),
      }),
    ]);
    expect(second.exitCode, second.stderr).toBe(0);
    expect(second.json).toEqual([
      expect.objectContaining({
        secret: "unchanged",
        settings: 0,
        webhook: expect.objectContaining({ outcome: "brought up to date" }),
      }),
    ]);
  });
});
