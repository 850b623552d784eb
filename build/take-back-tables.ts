import type { Serverless } from "./serverless.ts";

/**
 * Makes deployments adopt retained tables of a removed stack of the same name, whose names are taken.
 * CloudFormation adopts only resources with a fixed name that belong to no stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
export function adoptTables({ pluginManager }: Serverless): void {
  const makers = pluginManager.plugins.filter(makesChangeSets);
  // Undocumented: an update of the framework could remove it.
  if (makers.length === 0) throw new Error("The framework makes change sets in another way than expected.");
  for (const maker of makers) {
    const make = maker.getCreateChangeSetParams.bind(maker);
    maker.getCreateChangeSetParams = (given) => ({ ...make(given), ImportExistingResources: true });
  }
}

interface ChangeSetMaker {
  getCreateChangeSetParams(given: unknown): object;
}

function makesChangeSets(plugin: object): plugin is ChangeSetMaker {
  return "getCreateChangeSetParams" in plugin && typeof plugin.getCreateChangeSetParams === "function";
}
