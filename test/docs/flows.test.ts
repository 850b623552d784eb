import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import { events } from "../../local/testing/events/events.ts";
import { codeBlocksOf, copyProject, removeCopy } from "../helpers/project-copy.ts";
import { runVitest } from "../helpers/run-vitest.ts";
import { createFlowWorld, startMs } from "../unit/flows/flow-world.ts";

const root = join(import.meta.dirname, "../..");
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Every block of code that names its file in its first line. */
const blocks = codeBlocksOf("docs/flows.md");

describe("docs/flows.md, written into a copy of the project", () => {
  let copy: string;
  let flows: readonly FlowDefinition[];

  beforeAll(async () => {
    copy = copyProject(Object.fromEntries(blocks.map(({ file, text }) => [file, text])));
    flows = (await import(join(copy, "functions/own/flows.ts"))).ownFlows;
  });
  afterAll(() => removeCopy(copy));

  it("has each flow in less than 30 lines", () => {
    const lines = blocks.map(({ file, text }) => [file, text.trimEnd().split("\n").length - 1] as const);

    expect(lines).toHaveLength(6);
    for (const [file, count] of lines) expect(count, file).toBeLessThan(30);
  });

  it("compiles", async () => {
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const files = ["config/modules.d.ts", "functions/flows.ts", ...blocks.map(({ file }) => file)];
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ ...tsconfig, include: undefined, files }));

    const outcome = await promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", copy]).catch(
      (error: { stdout: string }) => error,
    );

    expect(outcome.stdout).toBe("");
  });

  it("passes its own test", async () => {
    const outcome = await runVitest(copy);

    expect(outcome).toMatchObject({ passed: 2, failed: [] });
  }, 600_000);

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

  it("escalates when nobody but the asker writes within ten minutes, and only then", async () => {
    const said = async (sender: string | undefined) => {
      const world = createFlowWorld(flows);
      await world.start("nobody-answered", { asker: "ann", group: "support-1" });
      await world.playUntil(startMs + minuteMs);
      if (sender !== undefined) {
        await world.deliver(events.messageSent({ sender, guid: "support-1" }));
      }
      await world.playUntil(startMs + 20 * minuteMs);
      return world.acts;
    };

    expect(await said("bela")).toEqual([]);
    const escalation = ["helper to chief: Nobody has answered in support-1 for ten minutes."];
    expect(await said("ann")).toEqual(escalation);
    expect(await said(undefined)).toEqual(escalation);
  });

  it("approves by a reaction, which may be quicker than the flow, and not without", async () => {
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
