import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { CliError } from "../../../../cli/cli-error.ts";
import { startConsumer } from "../../../../cli/listen/start-consumer.ts";
import { temporaryFolder } from "../../../helpers/temporary-folder.ts";

function start(code: string, aheadMs = 0, isTyped = false) {
  const bundleFile = join(temporaryFolder({ "consumer.mjs": code }), "consumer.mjs");
  const token = () => crypto.randomUUID();
  return startConsumer({ bundleFile, environment: {}, onLine: () => {}, token, aheadMs, isTyped });
}

describe("startConsumer", () => {
  it("waits for events even if its parent runs with end-with-parent", async () => {
    const endWithParent = new URL("../../../../cli/end-with-parent.mjs", import.meta.url).href;
    const given = ["--import", endWithParent];
    process.execArgv.push(...given);
    onTestFinished(() => void process.execArgv.splice(-given.length));
    const consumer = await start("export const handler = async () => ({ batchItemFailures: [] });");

    expect(await consumer.handle({})).toBe(true);
    await consumer.close();
  });

  it("runs with the local stack's clock, which may be ahead", async () => {
    const startedAt = Date.now();
    const code = `const { now } = Date;
      export const handler = async () => ({ batchItemFailures: now() > ${startedAt + 7_200_000} ? [] : [1] });`;
    const consumer = await start(code, 7_200_000);

    expect(await consumer.handle({})).toBe(true);
    await consumer.close();
  });

  it("names the invalid trigger, without its source lines", async () => {
    const starting = start(
      'class UnknownTriggerError extends Error { name = "UnknownTriggerError" }\nthrow new UnknownTriggerError("There is no trigger nope.");',
    );

    await expect(starting).rejects.toThrow(
      new CliError("wrongUse", "WRONG_USE", "There is no trigger nope."),
    );
  });

  it("names the option if the triggers are typed", async () => {
    const says = 'ENABLED_TRIGGERS names "nope". Check config/triggers.yml.';
    const code = `class UnknownTriggerError extends Error { name = "UnknownTriggerError" }
throw new UnknownTriggerError(${JSON.stringify(says)});`;

    await expect(start(code, 0, true)).rejects.toThrow(
      new CliError("wrongUse", "WRONG_USE", '--triggers names "nope".'),
    );
  });

  it("rejects current and later events after the process ended", async () => {
    const consumer = await start("export const handler = () => process.exit(3);");
    expect(consumer.hasEnded()).toBe(false);

    await expect(consumer.handle({})).rejects.toThrow("The consumer's process ended (3).");
    await expect(consumer.handle({})).rejects.toThrow("The consumer's process ended (3).");

    expect(consumer.hasEnded()).toBe(true);
    await consumer.close();
  });
});
