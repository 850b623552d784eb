import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentTriggers } from "../../local/platform/webhooks/trigger-table.ts";
import type { World } from "../../local/stack/world.ts";
import { createProjectFolder, createRunChat, type RunChat } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";
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
            remedy: expect.stringContaining("npm start"),
          }),
        ]),
      },
    ]);
  });

  it("has one line for each cause of dead letters, with what shows them", async () => {
    const setAside = createSetAside(world.cloud);
    for (const uid of ["anna", "bela", "cleo"]) {
      const cause = `ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND: No ${uid}.`;
      await setAside.bury(uid, { reason: "permanent", cause });
    }
    await setAside.bury("4");

    const { stdout, json } = await chat(["doctor", "--local", "--json"]);
    const [{ findings }] = json as [{ findings: { check: string; says: string; remedy?: string }[] }];
    const found = findings.filter(({ check }) => check === "dead-letters");
    const listed = await chat((found[0]?.remedy ?? "").split(" ").slice(2));
    await chat(["dead-letters", "drop", "--local", "--all", "--yes"]);

    expect(found.map(({ says }) => says)).toEqual([
      "3 dead letters (permanent) of message_sent, app local-app: ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND",
      "1 dead letter (tries) of message_sent, app local-app: TypeError: no uid",
    ]);
    expect(stdout).not.toContain("anna");
    expect(listed.stdout).toContain("3 dead letters\n");
  });

  it("ends as interrupted when it is", async () => {
    const { exitCode, json } = await chat(["doctor", "--local", "--json"], {
      edges: { signal: AbortSignal.abort() },
    });

    expect(exitCode).toBe(130);
    expect(json).toMatchObject([{ error: { code: "INTERRUPTED" } }]);
  });
});
