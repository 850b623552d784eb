import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Table } from "../../aws/table.ts";
import type { Fetch } from "../../chat/lean-fetch.ts";
import type { CauseGroup } from "../../queue/cause-group.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { Remedies } from "./remedies.ts";
import type { WebhookLists } from "./webhook-lists.ts";

/** What the checks of a deployment use, for the scheduled function and for operators. */
export interface DoctorServices {
  readonly callAws: AwsCaller;
  /** How the platform and the receiver are reached. */
  readonly fetch: Fetch;
  readonly secretPrefix: string;
  readonly queueUrls: DoctorQueues;
  /** The lanes table, whose key is `lane` and `item`. */
  readonly lanes: Table;
  /** The HTTP API's address, without a trailing slash. */
  readonly httpUrl: string;
  readonly chatBaseUrlTemplate: string;
  /** Undefined if there are no management credentials. @throws AwsCallError if they cannot be read */
  readonly webhookLists: () => Promise<WebhookLists | undefined>;
  /**
   * Groups the first 500 dead letters by cause. Reading hides them briefly from other operators, so only an
   * operator's doctor does it. Default: they are only counted.
   */
  readonly groupDeadLetters?: () => Promise<readonly CauseGroup[]>;
  /** How long the receiver accepts what a change of an app's secret replaced, in milliseconds. */
  readonly previousMs: number;
  readonly remedies: Remedies;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface DoctorQueues {
  readonly events: string;
  readonly deadLetters: string;
  readonly quarantine: string;
}

/** What an app's deployed triggers need; undefined if unknown. */
export type AppNeeds = DeployedFacts["needs"][number] | undefined;

export function needsOf(facts: DeployedFacts | undefined, appId: string): AppNeeds {
  return facts?.needs.find(({ appIds }) => appIds.includes(appId));
}
