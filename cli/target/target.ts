import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { wrongUse } from "../cli-error.ts";
import type { MakeClient } from "./clients.ts";
import type { Stack } from "./stack.ts";

/** What is known of a stage before AWS is called. */
export interface TargetFacts {
  readonly kind: "local" | "stage";
  readonly stage: string;
  readonly region: string;
  /** Besides kind and stage: `--region eu-west-1`, `--world 4711`. */
  readonly chosen: readonly string[];
  /** Milliseconds from the machine's time to the target's: a local stack has a clock of its own. */
  readonly aheadMs: number;
  /** Set and ignored here, though the AWS CLI or the framework would use them. */
  readonly unusedVariables: readonly string[];
  /** In config/stages.yml. */
  readonly isProduction: boolean;
  /** Of the stage, for secrets (docs/operate.md#a-key-of-your-own). */
  readonly kmsKey?: string | undefined;
  /** Of the stage's `retention`. */
  readonly auditDays?: number | undefined;
  /** Of a local stack. */
  readonly consoleUrl?: string | undefined;
}

/** One stage of this project, deployed or local. */
export interface Target extends TargetFacts {
  readonly accountId: string;
  readonly identity: string;
  /** For people: stage, region, account and the credentials' source. */
  readonly title: string;
  /** The name in serverless.yml. */
  readonly service: string;
  /** `<service>-<stage>`. */
  readonly stackName: string;
  /**
   * Credentials are renewed when they expire.
   * @throws AwsCallError
   */
  readonly callAws: AwsCaller;
  readonly client: MakeClient;
  readonly cloudFormation: CloudFormationClient;
  /** Lets another process call AWS as this one does. */
  readonly processEnvironment: () => Promise<ProcessEnvironment>;
  /**
   * For right before a change: AWS confirms the account of exactly these credentials.
   * @throws CliError if they belong to another account than at the start, or end within `minimumMs` although
   * renewed
   */
  readonly proveIdentity: (minimumMs: number) => Promise<ProcessEnvironment>;
  /**
   * Read once.
   * @throws CliError "not there"
   */
  stack(): Promise<Stack>;
  /** For after a deploy. */
  rereadStack(): Promise<Stack>;
}

export interface ProcessEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Undefined if unknown. */
  readonly endsAt: Date | undefined;
}

/** @throws CliError for a local stack */
export function refuseLocal({ kind }: Target, why: string): void {
  if (kind === "local") throw wrongUse(why, "Name a deployed stage: --stage <name>.");
}
