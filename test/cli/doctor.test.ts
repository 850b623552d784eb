import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentTriggers } from "../../local/platform/webhooks/trigger-table.ts";
import type { World } from "../../local/world.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

describe("chat doctor", () => {
  const project = createProjectFolder();
  let world: World;
  let chat: RunChat;

  beforeAll(async () => {
    world = await startPatientWorld({ triggerIds: Object.keys(currentTriggers) });
    chat = createRunChat(project.folder, world.cloud);
  });
  afterAll(async () => {
    await world?.close();
    project.remove();
  });

  it("finds everything well in a world that is", async () => {
    const { exitCode, stdout } = await chat(["doctor", "--local"]);

    expect(stdout).toContain("nothing is wrong");
    expect(exitCode).toBe(0);
  });

  it("says that it sent no canary where none is turned on", async () => {
    const { json } = await chat(["doctor", "--local", "--canary", "--json"]);

    expect(json).toMatchObject([
      {
        findings: expect.arrayContaining([
          expect.objectContaining({
            check: "canary",
            status: "unknown",
            remedy: expect.stringContaining("deploy"),
          }),
        ]),
      },
    ]);
  });

  it("ends as interrupted when it is", async () => {
    const { exitCode, json } = await chat(["doctor", "--local", "--json"], {
      edges: { signal: AbortSignal.abort() },
    });

    expect(exitCode).toBe(130);
    expect(json).toMatchObject([{ error: { code: "INTERRUPTED" } }]);
  });
});
