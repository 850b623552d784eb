/**
 * A plugin of serverless: makes its deployments take back what an earlier stack of the same name left behind on purpose,
 * which are the tables with `DeletionPolicy: Retain`. Without it a deployment after a removal would fail, as their names are
 * taken. CloudFormation takes back what has a fixed name and belongs to no other stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
export default class TakeBackTables {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor(serverless: Serverless) {
    this.hooks = {
      "before:deploy:deploy": () => {
        const makers = serverless.pluginManager.plugins.filter(makesChangeSets);
        // It is not part of what the framework promises: an update of it could take it away.
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
