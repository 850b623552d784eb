import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isRecord, parseJson } from "../lib/base/json.ts";
import { type BuiltFor, readBuiltFor, whyNotDeployed, writeBuiltFor } from "./built-for.ts";
import { tooLongNames } from "./name-limits.ts";
import { readServedApps } from "./served-apps.ts";

/**
 * Writes the stage and apps into each package, and refuses to deploy it for others, or for a stage without
 * apps. Refuses names that AWS would refuse in the middle of a deployment.
 */
export default class DeploymentGuard {
  readonly hooks: Readonly<Record<string, () => Promise<void> | void>>;

  constructor(serverless: Serverless, options: { readonly package?: string }) {
    const { serviceDir, service, classes } = serverless;
    // Errors of this class are shown without a stack.
    const refuse = (message: string, code: string): never => {
      throw new classes.Error(message, code);
    };
    const wanted = async (): Promise<BuiltFor> => {
      // For an existing package, serverless itself uses the package's stage.
      const stage = serverless.getProvider("aws").getStage();
      return { stage, appIds: (await readServedApps(serviceDir)).get(stage) ?? [] };
    };
    const guard = async (built: (wanted: BuiltFor) => Promise<BuiltFor | undefined>) => {
      const target = await wanted();
      const reason = whyNotDeployed(await built(target), target);
      if (reason !== undefined) refuse(reason, "NOT_BUILT_FOR_THIS");
    };
    this.hooks = {
      // After the service's resources, outputs and metadata are in the template.
      "after:aws:package:finalize:mergeCustomProviderResources": async () => {
        const template = service.provider.compiledCloudFormationTemplate;
        const { naming } = serverless.getProvider("aws");
        const tooLong = tooLongNames(naming.getStackName(), template.Resources);
        if (tooLong.length > 0) refuse(tooLong.join("\n"), "NAME_TOO_LONG");
        template.Metadata = { ...template.Metadata, ...writeBuiltFor(await wanted()) };
      },
      "before:run:run": async () => {
        const resources = service.resources ?? {};
        resources.Metadata = { ...resources.Metadata, ...writeBuiltFor(await wanted()) };
      },
      "before:deploy:deploy": () => {
        const folder = options.package ?? service.package?.path ?? join(serviceDir, ".serverless");
        return guard(() => builtForOf(resolve(folder)));
      },
      // The code is built here, for the wanted stage.
      "before:deploy:function:initialize": () => guard(async (target) => target),
    };
  }
}

async function builtForOf(packageFolder: string): Promise<BuiltFor | undefined> {
  const file = join(packageFolder, "cloudformation-template-update-stack.json");
  const template = parseJson(await readFile(file, "utf8").catch(() => ""));
  return isRecord(template) ? readBuiltFor(template.Metadata) : undefined;
}

/** Serverless publishes no types. */
interface Serverless {
  readonly serviceDir: string;
  readonly service: {
    readonly provider: {
      readonly compiledCloudFormationTemplate: {
        readonly Resources: Readonly<Record<string, unknown>>;
        Metadata?: Readonly<Record<string, unknown>>;
      };
    };
    readonly resources?: { Metadata?: Readonly<Record<string, unknown>> };
    readonly package?: { readonly path?: string };
  };
  readonly classes: { readonly Error: new (message: string, code: string) => Error };
  getProvider(name: string): { getStage(): string; readonly naming: { getStackName(): string } };
}
