import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Table } from "../../aws/table.ts";
import type { Fetch } from "../../chat/lean-fetch.ts";
import type { CauseGroup } from "../../queue/cause-group.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { RecentLogs } from "./recent-logs.ts";
import type { Remedies } from "./remedies.ts";
import type { WebhookLists } from "./webhook-lists.ts";

/** For the scheduled function and for operators. */
export interface DoctorServices {
  readonly callAws: AwsCaller;
  /** To the platform and the receiver. */
  readonly fetch: Fetch;
  readonly secretPrefix: string;
  readonly queueUrls: DoctorQueues;
  /** Key: `lane` and `item`. */
  readonly lanes: Table;
  /** Without a trailing slash. */
  readonly httpUrl: string;
  readonly chatBaseUrlTemplate: string;
  /**
   * Undefined without management credentials.
   * @throws AwsCallError if they cannot be read
   */
  readonly webhookLists: () => Promise<WebhookLists | undefined>;
  /**
   * The first 500, by cause. Reading hides dead letters briefly: only an operator's doctor does it. Default:
   * they are only counted.
   */
  readonly groupDeadLetters?: () => Promise<readonly CauseGroup[]>;
  /** How long the receiver accepts what a change of an app's secret replaced, in milliseconds. */
  readonly previousMs: number;
  /** Only an operator may read them. */
  readonly recentLogs?: RecentLogs;
  readonly remedies: Remedies;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface DoctorQueues {
  readonly events: string;
  readonly deadLetters: string;
  readonly quarantine: string;
}

/** Undefined if unknown. */
export type AppNeeds = DeployedFacts["needs"][number] | undefined;

export function needsOf(facts: DeployedFacts | undefined, appId: string): AppNeeds {
  return facts?.needs.find(({ appIds }) => appIds.includes(appId));
}
