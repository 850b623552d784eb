import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
// @ts-expect-error It is JavaScript, as serverless loads it.
import RequireAppId from "../../../scripts/require-app-id.mjs";

/** Runs what the plugin does before a stack is deployed that serves these apps. */
async function deploy(stage: string, appIds: string): Promise<void> {
  const serviceDir = mkdtempSync(join(tmpdir(), "require-app-id-"));
  onTestFinished(() => rmSync(serviceDir, { recursive: true, force: true }));
  mkdirSync(join(serviceDir, "config"));
  writeFileSync(join(serviceDir, "config/stages.yml"), "dev:\nprod:\n  apps: app-1, app-2\n");
  vi.stubEnv("CHAT_APP_ID", appIds);
  const service = { provider: { stage, environment: { CHAT_APP_IDS: appIds } } };
  await new RequireAppId({ serviceDir, service }).hooks["before:deploy:deploy"]();
}

describe("RequireAppId", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each([
    ["prod", "app-2"],
    ["prod", "app-1, app-2"],
    ["dev", "app-3"],
    ["annas-own", "app-3"],
  ])("lets the stage %s be deployed for %s", async (stage, appIds) => {
    await expect(deploy(stage, appIds)).resolves.toBeUndefined();
  });

  it("refuses to deploy without an app", async () => {
    await expect(deploy("dev", "")).rejects.toThrow("CHAT_APP_ID is not set");
  });

  it("refuses an app that the stage does not serve", async () => {
    await expect(deploy("prod", "app-1, app-3")).rejects.toThrow(
      "The stage prod serves app-1, app-2, and not app-3: see config/stages.yml",
    );
  });
});
