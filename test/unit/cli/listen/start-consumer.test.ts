import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startConsumer } from "../../../../cli/listen/start-consumer.ts";

describe("startConsumer", () => {
  it("says that the process ended, to whoever waits and to whoever comes later", async () => {
    const folder = mkdtempSync(join(tmpdir(), "consumer-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const bundleFile = join(folder, "consumer.mjs");
    writeFileSync(bundleFile, "export const handler = () => process.exit(3);");
    const options = { bundleFile, environment: {}, onLine: () => {}, token: () => crypto.randomUUID() };
    const consumer = await startConsumer(options);
    expect(consumer.hasEnded()).toBe(false);

    await expect(consumer.handle({})).rejects.toThrow("The consumer's process ended.");
    await expect(consumer.handle({})).rejects.toThrow("The consumer's process ended.");

    expect(consumer.hasEnded()).toBe(true);
    await consumer.close();
  });
});
