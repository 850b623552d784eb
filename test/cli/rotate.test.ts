import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld, type World } from "../../local/world.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";

describe("rotate", () => {
  const project = createProjectFolder();
  let world: World;
  let chat: RunChat;

  beforeAll(async () => {
    world = await startWorld();
    chat = createRunChat(project.folder, world.cloud);
  });
  afterAll(async () => {
    await world?.close();
    project.remove();
  });
  beforeEach(async () => {
    await world.cloud.putSecret("AppSecret", secretOf(world));
    await world.reset();
  });

  const onApp = (...words: string[]) => ["rotate", ...words, "--local", "--app", world.app.appId];

  it("replaces the API key over the wire, with the old one good for an hour", async () => {
    const { exitCode, stdout } = await chat([...onApp("api-key"), "--yes"]);
    const status = await chat([...onApp("status"), "--json"]);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("Rotated for app local-app: the new one is in use.");
    expect(status.json).toMatchObject([{ overlaps: [{ thing: "api-key", isOver: false }] }]);
  });
});

function secretOf({ app, webhook }: World) {
  return {
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    webhookUsername: webhook.username,
    webhookPassword: webhook.password,
  };
}
