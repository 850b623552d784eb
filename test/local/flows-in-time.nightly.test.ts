import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { StoredExecution } from "../../local/cloud/durable/stored-execution.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const flowFile = "functions/own/rest.ts";
const folder = copyProject({
  [flowFile]: `
    import * as z from "zod/mini";
    import { defineFlow } from "../../lib/flows/define-flow.ts";
    export const rest = defineFlow("rest", z.object({}), async (flow) => {
      const before = await flow.now();
      await flow.wait({ hours: 3 });
      return { before, after: await flow.now() };
    });`,
  "functions/own/flows.ts": 'import { rest } from "./rest.ts";\nexport const ownFlows = [rest];',
  "functions/own/triggers.ts": `
    import { onTrigger } from "../../lib/handle/on-trigger.ts";
    import { rest } from "./rest.ts";
    export const ownTriggers = {
      rest: onTrigger("message_sent", {}, async ({ effects }) => void (await effects.start(rest, {}))),
    };`,
});
const dataFolder = mkdtempSync(join(tmpdir(), "flows-in-time-"));
const lines: string[] = [];
let world: LocalStack;

const start = () =>
  startPatientWorld({
    dataFolder,
    cloud: { serviceFolder: folder, environment: { ENABLED_TRIGGERS: "rest" }, reload: true },
    log: (line) => lines.push(line),
  });
beforeAll(async () => {
  world = await start();
});
afterAll(async () => {
  await world.close();
  removeCopy(folder);
  rmSync(dataFolder, { recursive: true });
});

/** Moves the clock, with all due work. */
const pass = (ms: number) => world.clock?.moveTo(world.clock.now() + ms);

/** Starts a flow, which then waits. */
async function startFlow(): Promise<StoredExecution> {
  const known = new Set(world.cloud.durable.peek().map(({ arn }) => arn));
  await writeToSupport(world, "good night");
  await pass(1_000);
  const execution = world.cloud.durable.peek().find(({ arn }) => !known.has(arn));
  if (execution === undefined) throw new Error("No flow was started.");
  return execution;
}

/** Adds a step before the wait. */
async function editFlow(step: string) {
  const { revision } = world.cloud.reload.state();
  const file = join(folder, flowFile);
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace("await flow.wait", `await flow.run("${step}", async () => 1);\n      await flow.wait`),
  );
  await vi.waitFor(() => {
    const state = world.cloud.reload.state();
    expect(state).toMatchObject({ state: "live" });
    expect(state.revision).toBeGreaterThan(revision);
  });
}

function stateOf({ arn }: StoredExecution) {
  const found = world.cloud.durable.peek().find((execution) => execution.arn === arn);
  return { status: found?.status, version: found?.version };
}

it("flow.now(), a wait's end and the stack's record of both agree to the millisecond", async () => {
  world.clock?.freeze();
  const atMs = world.clock?.now();
  const flow = await startFlow();
  await pass(4 * 3_600_000);
  world.clock?.unfreeze();

  const { operations, result = "{}", startedAtMs } = flow;
  const wait = operations.find(({ Type }) => Type === "WAIT");
  const { before, after } = JSON.parse(result);
  expect(startedAtMs).toBe(atMs);
  expect(Date.parse(before)).toBe(startedAtMs);
  expect(wait?.StartTimestamp.getTime()).toBe(startedAtMs);
  expect(wait?.EndTimestamp).toEqual(wait?.WaitDetails?.ScheduledEndTimestamp);
  expect(Date.parse(after)).toBe(startedAtMs + 3 * 3_600_000);
});

it("a flow that waits while it is edited ends with its first code, also after a restart", async () => {
  const [first, second] = [await startFlow(), await startFlow()];

  await editFlow("early");
  const third = await startFlow();
  expect(lines.join("\n")).toContain("2 flows that began with earlier code end with it, as on AWS: 2 rest.");
  world.cloud.durable.hasten(first.arn, first.operations.find(({ Type }) => Type === "WAIT")?.Id);
  await pass(1_000);
  expect(stateOf(first)).toEqual({ status: "SUCCEEDED", version: "1" });
  await world.close();
  world = await start();
  await editFlow("late");
  await pass(4 * 3_600_000);

  expect(stateOf(second)).toEqual({ status: "SUCCEEDED", version: "1" });
  expect(stateOf(third)).toEqual({ status: "SUCCEEDED", version: "2" });
});
