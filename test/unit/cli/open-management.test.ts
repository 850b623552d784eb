import { expect, it, onTestFinished } from "vitest";
import type { StageApps } from "../../../cli/apps/stage-apps.ts";
import type { WorkContext } from "../../../cli/command.ts";
import { openManagement } from "../../../cli/setup/app-access.ts";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";

it("names an app that the platform does not have", async () => {
  const platform = await createPlatform();
  onTestFinished(() => platform.close());
  const context = { target: { stack: async () => ({ output: () => platform.managementUrl }) } };
  const apps = { secretPrefix: "service/local", secrets: { stateOf: async () => undefined } };

  const opened = openManagement(
    "shop-one",
    defaultSeed.management,
    context as unknown as WorkContext,
    apps as unknown as StageApps,
  );

  await expect(opened).rejects.toMatchObject({ exitCode: 6, message: "The platform has no app shop-one." });
});
