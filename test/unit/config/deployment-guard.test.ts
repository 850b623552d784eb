import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkTemplate, guardDeployment } from "../../../build/deployment-guard.ts";
import type { Serverless, Template } from "../../../build/serverless.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

class ErrorForUsers extends Error {}

/** A project whose stage prod serves app-1 and app-2, and dev none. */
function createService(stage: string, named?: string) {
  const serviceDir = temporaryFolder({ "config/apps.yml": "dev:\nprod: [app-1, app-2]\n" });
  const template: Template = { Resources: {} };
  const serverless: Serverless = Object.assign(Object.create(null), {
    serviceDir,
    service: { provider: { compiledCloudFormationTemplate: template } },
    classes: { Error: ErrorForUsers },
    getProvider: () => ({ getStage: () => stage, naming: { getStackName: () => `chat-${stage}` } }),
  });
  const pack = async (folder = join(serviceDir, ".serverless")) => {
    await checkTemplate(serverless);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "cloudformation-template-update-stack.json"), JSON.stringify(template));
  };
  const guard = (isBuiltHere = false) => guardDeployment(serverless, named, { isBuiltHere });
  return { serviceDir, pack, guard, template };
}

describe("guardDeployment", () => {
  it("accepts a package that was just built", async () => {
    const { pack, guard } = createService("prod");
    await pack();

    await expect(guard()).resolves.toBeUndefined();
  });

  it("refuses a package of another stage, with an error without a stack trace", async () => {
    const folder = join(temporaryFolder(), "dev");
    await createService("dev").pack(folder);
    const { guard } = createService("prod", folder);

    await expect(guard()).rejects.toThrow(ErrorForUsers);
    await expect(guard()).rejects.toThrow("The package was made for the stage dev, and not for prod.");
  });

  it("refuses a package if an app was added after it was built", async () => {
    const { serviceDir, pack, guard } = createService("prod");
    await pack();
    writeFileSync(join(serviceDir, "config/apps.yml"), "prod: [app-1, app-2, app-3]\n");

    await expect(guard()).rejects.toThrow("it does not serve app-3");
  });

  it("refuses a folder without a package", async () => {
    const { guard } = createService("prod");

    await expect(guard()).rejects.toThrow("does not say what it was made for");
  });

  it.each([false, true])("refuses a stage that serves no app, built here: %s", async (isBuiltHere) => {
    const { pack, guard } = createService("dev");
    await pack();

    await expect(guard(isBuiltHere)).rejects.toThrow("The stage dev serves no app");
  });

  it("keeps other metadata of the template", async () => {
    const { pack, template } = createService("prod");
    template.Metadata = { Team: "chat" };
    await pack();

    expect(template.Metadata).toEqual({
      Team: "chat",
      BuiltFor: { stage: "prod", appIds: ["app-1", "app-2"] },
    });
  });

  it("refuses to package names that are too long for AWS", async () => {
    const { pack } = createService("p".repeat(130));

    await expect(pack()).rejects.toThrow("the stack has 135 characters");
  });
});
