import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import DeploymentGuard from "../../../build/deployment-guard.ts";

class ErrorForUsers extends Error {}

/** A project whose stage prod serves app-1 and app-2, and dev none. */
function createService(stage: string, options: { package?: string } = {}) {
  const serviceDir = mkdtempSync(join(tmpdir(), "deployment-guard-"));
  onTestFinished(() => rmSync(serviceDir, { recursive: true }));
  mkdirSync(join(serviceDir, "config"));
  writeFileSync(join(serviceDir, "config/apps.yml"), "dev:\nprod: [app-1, app-2]\n");
  const compiledCloudFormationTemplate: ConstructorParameters<
    typeof DeploymentGuard
  >[0]["service"]["provider"]["compiledCloudFormationTemplate"] = { Resources: {} };
  const serverless = {
    serviceDir,
    service: { provider: { compiledCloudFormationTemplate } },
    classes: { Error: ErrorForUsers },
    getProvider: () => ({ getStage: () => stage, naming: { getStackName: () => `chat-${stage}` } }),
  };
  const { hooks } = new DeploymentGuard(serverless, options);
  const pack = async (folder: string) => {
    await hooks["after:aws:package:finalize:mergeCustomProviderResources"]?.();
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "cloudformation-template-update-stack.json"),
      JSON.stringify(compiledCloudFormationTemplate),
    );
  };
  return { serviceDir, pack, hooks, template: compiledCloudFormationTemplate };
}

describe("DeploymentGuard", () => {
  it("lets what was just packaged be deployed", async () => {
    const { serviceDir, pack, hooks } = createService("prod");
    await pack(join(serviceDir, ".serverless"));

    await expect(hooks["before:deploy:deploy"]?.()).resolves.toBeUndefined();
  });

  it("refuses a package of another stage, by an error without a stack", async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "package-")), "dev");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await createService("dev").pack(folder);
    const { hooks } = createService("prod", { package: folder });

    await expect(hooks["before:deploy:deploy"]?.()).rejects.toThrow(ErrorForUsers);
    await expect(hooks["before:deploy:deploy"]?.()).rejects.toThrow(
      "The package was made for the stage dev, and not for prod.",
    );
  });

  it("refuses a package when an app was added since it was made", async () => {
    const { serviceDir, pack, hooks } = createService("prod");
    await pack(join(serviceDir, ".serverless"));
    writeFileSync(join(serviceDir, "config/apps.yml"), "prod: [app-1, app-2, app-3]\n");

    await expect(hooks["before:deploy:deploy"]?.()).rejects.toThrow("it does not serve app-3");
  });

  it("refuses a folder without a package", async () => {
    const { hooks } = createService("prod");

    await expect(hooks["before:deploy:deploy"]?.()).rejects.toThrow("does not say what it was made for");
  });

  it.each(["before:deploy:deploy", "before:deploy:function:initialize"])(
    "refuses a stage that serves no app, %s",
    async (hook) => {
      const { serviceDir, pack, hooks } = createService("dev");
      await pack(join(serviceDir, ".serverless"));

      await expect(hooks[hook]?.()).rejects.toThrow("The stage dev serves no app");
    },
  );

  it("keeps what else the template tells of itself", async () => {
    const { serviceDir, pack, template } = createService("prod");
    template.Metadata = { Team: "chat" };
    await pack(join(serviceDir, ".serverless"));

    expect(template.Metadata).toEqual({
      Team: "chat",
      BuiltFor: { stage: "prod", appIds: ["app-1", "app-2"] },
    });
  });

  it("refuses to package names that AWS would not take", async () => {
    const { serviceDir, pack } = createService("p".repeat(130));

    await expect(pack(join(serviceDir, ".serverless"))).rejects.toThrow("the stack has 135 characters");
  });
});
