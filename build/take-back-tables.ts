/**
 * A plugin of serverless: makes deployments adopt retained tables (`DeletionPolicy: Retain`) of an earlier
 * stack of the same name. Without it a deployment after a removal would fail, because the names are taken.
 * CloudFormation adopts resources with a fixed name that belong to no other stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
export default class TakeBackTables {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor(serverless: Serverless) {
    this.hooks = {
      "before:deploy:deploy": () => {
        const makers = serverless.pluginManager.plugins.filter(makesChangeSets);
        // Not part of the framework's documented interface: an update could remove it.
        if (makers.length === 0)
          throw new Error("The framework makes change sets in another way than expected.");
        for (const maker of makers) {
          const make = maker.getCreateChangeSetParams.bind(maker);
          maker.getCreateChangeSetParams = (given) => ({ ...make(given), ImportExistingResources: true });
        }
      },
    };
  }
}

interface ChangeSetMaker {
  getCreateChangeSetParams(given: unknown): object;
}

function makesChangeSets(plugin: object): plugin is ChangeSetMaker {
  return "getCreateChangeSetParams" in plugin && typeof plugin.getCreateChangeSetParams === "function";
}

/** The part of serverless that this plugin touches; it publishes no types. */
interface Serverless {
  readonly pluginManager: { readonly plugins: readonly object[] };
}
