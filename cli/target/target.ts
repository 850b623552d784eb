import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import type { MakeClient } from "./clients.ts";
import type { Stack } from "./stack.ts";

/** What a command acts on: one stage of this project, deployed or local. */
export interface Target {
  readonly kind: "local" | "stage";
  readonly stage: string;
  readonly region: string;
  /** Options that chose it besides kind and stage: `--region eu-west-1`, `--world 4711`. */
  readonly chosen: readonly string[];
  readonly accountId: string;
  /** The caller's AWS identity. */
  readonly identity: string;
  /** For people: the stage with its region, its account and the source of the credentials. */
  readonly title: string;
  /** Variables that are set and ignored here, though the AWS CLI or the framework would use them. */
  readonly unusedVariables: readonly string[];
  /** Marked `production: true` in config/stages.yml. */
  readonly isProduction: boolean;
  /** The names of service and stage, joined as in the stack's name. */
  readonly stackName: string;
  /** Calls AWS with the caller's credentials, which are renewed when they expire. @throws AwsCallError */
  readonly callAws: AwsCaller;
  readonly client: MakeClient;
  /** Returns the SDK's variables that let another process call AWS as this one does. */
  readonly processEnvironment: () => Promise<ProcessEnvironment>;
  /**
   * Returns the same after AWS has confirmed the account of exactly these credentials: for right before a
   * change.
   * @throws CliError if they belong to another account than at the start, or end within `minimumMs` although
   *   renewed
   */
  readonly proveIdentity: (minimumMs: number) => Promise<ProcessEnvironment>;
  /** The deployed stack, read once. @throws CliError "not there" */
  stack(): Promise<Stack>;
  /** The same, read again: after a deploy. */
  rereadStack(): Promise<Stack>;
}

export interface ProcessEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** When its credentials end; undefined if unknown. */
  readonly endsAt: Date | undefined;
}
