import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import { events } from "../../local/testing/events/events.ts";
import { blocksOf } from "../helpers/project-copy.ts";
import { writeFiles } from "../helpers/write-files.ts";
import { createFlowWorld, startMs } from "../unit/flows/flow-world.ts";

const root = join(import.meta.dirname, "../..");
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe("the flows of docs/flows.md", () => {
  let folder: string;
  let flows: readonly FlowDefinition[];

  beforeAll(async () => {
    // Below the repository, so that the package's name resolves to its sources.
    mkdirSync(join(root, ".build"), { recursive: true });
    folder = mkdtempSync(join(root, ".build/flows-page-"));
    writeFiles(folder, blocksOf("docs/flows.md"));
    flows = (await import(join(folder, "functions/own/flows.ts"))).ownFlows;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("welcomes over three days", async () => {
    const world = createFlowWorld(flows);
    await world.start("welcome-series", { uid: "bela" });

    await world.playUntil(startMs + minuteMs);
    const early = world.acts.length;
    await world.playUntil(startMs + 4 * dayMs);

    expect(early).toBe(1);
    expect(world.acts).toEqual([
      "helper to bela: Say hello in the lobby.",
      "helper to bela: Tell us what you need.",
      "helper to bela: Ask us anything.",
    ]);
  });

  it("approves only by a reaction, even one that arrives before the flow waits", async () => {
    const play = async (reaction: string) => {
      const world = createFlowWorld(flows);
      await world.start("approve-by-reaction", { by: "ann", what: "a day off" });
      await world.playUntil(startMs + minuteMs);
      const [asked = ""] = world.acts;
      await world.deliver(
        events.messageReactionAdded({ messageId: world.idOf(asked), uid: "chief", reaction }),
      );
      await world.playUntil(startMs + 2 * dayMs);
      return world.acts.slice(1);
    };

    expect(await play("👍")).toEqual(["helper to ann: Approved."]);
    expect(await play("👎")).toEqual(["helper to ann: Not approved."]);
  });
});
