import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Table } from "../../aws/table.ts";
import type { Fetch } from "../../chat/lean-fetch.ts";
import type { CauseGroup } from "../../queue/cause-group.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { WebhookLists } from "./webhook-lists.ts";

/** What is looked at of a deployment, whoever looks: the function on its schedule, or an operator. */
export interface DoctorServices {
  readonly callAws: AwsCaller;
  /** How the platform and the receiver are reached. */
  readonly fetch: Fetch;
  readonly secretPrefix: string;
  readonly queueUrls: DoctorQueues;
  /** The lanes table, whose key is `lane` and `item`. */
  readonly lanes: Table;
  /** Where the HTTP API is, without a slash at its end. */
  readonly httpUrl: string;
  readonly chatBaseUrlTemplate: string;
  /** Undefined where there are no management credentials. @throws AwsCallError when they cannot be read */
  readonly webhookLists: () => Promise<WebhookLists | undefined>;
  /**
   * Groups the dead letters by cause, the first 500 of them. Looking hides them from other operators for a moment, so that
   * only an operator's own doctor does it. Default: they are counted alone.
   */
  readonly groupDeadLetters?: () => Promise<readonly CauseGroup[]>;
  readonly commands: Commands;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface DoctorQueues {
  readonly events: string;
  readonly deadLetters: string;
  readonly quarantine: string;
}

/** Writes a command with what it acts on, as it is typed: `doctor` → `npx cometchat-functions doctor --stage prod`. */
export type Commands = (command: string) => string;

/** Makes it for `--stage prod` or `--local`; a local stack is deployed by starting it. */
export function commandsFor(target: string): Commands {
  const isLocal = target.startsWith("--local");
  return (command) =>
    isLocal && command === "deploy" ? "npm start" : `npx cometchat-functions ${command} ${target}`;
}

/** What an app's deployed triggers need; undefined where nobody knows what is deployed. */
export type AppNeeds = DeployedFacts["needs"][number] | undefined;

export function needsOf(facts: DeployedFacts | undefined, appId: string): AppNeeds {
  return facts?.needs.find(({ appIds }) => appIds.includes(appId));
}
