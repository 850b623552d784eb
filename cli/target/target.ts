import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import type { MakeClient } from "./clients.ts";
import type { Stack } from "./stack.ts";

/** What a command acts on: one stage of this project, deployed or running locally. */
export interface Target {
  readonly kind: "local" | "stage";
  readonly stage: string;
  readonly region: string;
  /** What was typed to choose it beside its kind and stage: `--region eu-west-1`, `--world 4711`. */
  readonly chosen: readonly string[];
  readonly accountId: string;
  /** Who acts, as AWS names him. */
  readonly identity: string;
  /** For people: the stage with its region, its account and the source of the credentials. */
  readonly title: string;
  /** Variables that are set and not used here, though the AWS CLI or the framework would take other credentials by them. */
  readonly unusedVariables: readonly string[];
  /** Marked `production: true` in config/stages.yml. */
  readonly isProduction: boolean;
  /** The service's and the stage's name, joined as the deployment names its stack. */
  readonly stackName: string;
  /** Calls AWS with the caller's credentials, which are renewed when they run out. @throws AwsCallError */
  readonly callAws: AwsCaller;
  readonly client: MakeClient;
  /** Gives what a process needs to call AWS as this one does, by the variables of the SDK. */
  readonly processEnvironment: () => Promise<ProcessEnvironment>;
  /**
   * Returns the same after AWS has confirmed the account of exactly these credentials: for right before a change.
   * @throws CliError if they belong to another account than at the start, or end within `minimumMs` although renewed
   */
  readonly proveIdentity: (minimumMs: number) => Promise<ProcessEnvironment>;
  /** What is deployed, read once. @throws CliError "not there" */
  stack(): Promise<Stack>;
  /** The same, read anew: after a deploy. */
  readStackAnew(): Promise<Stack>;
}

export interface ProcessEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** When its credentials end; undefined where nobody says so. */
  readonly endsAt: Date | undefined;
}
