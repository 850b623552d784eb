import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
  PutRetentionPolicyCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { isNotFound } from "../lib/aws/is-not-found.ts";
import { hideSecrets } from "../lib/base/known-secrets.ts";
import type { StackLog } from "./see/read-logs.ts";
import type { Target } from "./target/target.ts";

/** Unless the stage sets its own. */
export const usualAuditDays = 400;

/**
 * The log group that records which command changed a stage, by whom and when. It belongs to no stack: it
 * outlives a removal, and exists before the first deployment.
 */
export function auditLogOf({ stackName }: Pick<Target, "stackName">): StackLog {
  return { source: "audit", group: `/cometchat-functions/${stackName}/audit` };
}

export interface AuditedCommand {
  /** As typed: `rotate api-key`. */
  readonly name: string;
  /** Arguments and options. No command takes a secret as one. */
  readonly typed: object;
}

type AuditedTarget = Pick<Target, "stackName" | "identity" | "client" | "kmsKey" | "auditDays">;

interface AuditFields {
  readonly message: string;
  readonly command: string;
  readonly typed?: object;
  readonly exitCode?: number;
}

/**
 * Records one command: a line before its first change, and one when it has ended. A command that was killed
 * has no second line.
 * @throws the SDK's errors
 */
export class Audit {
  readonly #target: AuditedTarget;
  readonly #command: AuditedCommand;
  readonly #id: string;
  readonly #now: () => number;
  #isBegun = false;

  constructor(
    target: AuditedTarget,
    command: AuditedCommand,
    edges: { now: () => number; token: () => string },
  ) {
    this.#target = target;
    this.#command = command;
    this.#id = edges.token();
    this.#now = edges.now;
  }

  /** Does nothing the second time. */
  async begin(): Promise<void> {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const client = this.#client();
    const { group } = auditLogOf(this.#target);
    const createStream = () =>
      client.send(new CreateLogStreamCommand({ logGroupName: group, logStreamName: this.#id }));
    const { kmsKey: kmsKeyId, auditDays } = this.#target;
    const keepFor = (retentionInDays: number) =>
      client.send(new PutRetentionPolicyCommand({ logGroupName: group, retentionInDays }));
    await createStream().catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await client.send(new CreateLogGroupCommand({ logGroupName: group, kmsKeyId }));
      await keepFor(usualAuditDays);
      await createStream();
    });
    if (auditDays !== undefined) await keepFor(auditDays);
    const { name, typed } = this.#command;
    await this.#write({ message: "began a command", command: name, typed });
  }

  /** Does nothing unless begun. */
  async end(exitCode: number): Promise<void> {
    if (this.#isBegun)
      await this.#write({ message: "ended a command", command: this.#command.name, exitCode });
  }

  #client(): CloudWatchLogsClient {
    return this.#target.client(CloudWatchLogsClient, "CLOUDWATCH_LOGS");
  }

  async #write({ message, ...others }: AuditFields): Promise<void> {
    const now = this.#now();
    const line = {
      timestamp: new Date(now).toISOString(),
      level: "INFO",
      message,
      by: this.#target.identity,
    };
    await this.#client().send(
      new PutLogEventsCommand({
        logGroupName: auditLogOf(this.#target).group,
        logStreamName: this.#id,
        logEvents: [
          { timestamp: now, message: hideSecrets(JSON.stringify({ ...line, id: this.#id, ...others })) },
        ],
      }),
    );
  }
}
