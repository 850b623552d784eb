import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
  PutRetentionPolicyCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { isNotFound } from "../lib/aws/aws-call.ts";
import { hideSecrets } from "../lib/base/known-secrets.ts";
import type { CliEdges } from "./edges.ts";
import type { StackLog } from "./see/read-logs.ts";
import type { Target } from "./target/target.ts";

export const usualAuditDays = 400;

/** Belongs to no stack: exists before the first deployment and after a removal. */
export function auditLogOf({ stackName }: Pick<Target, "stackName">): StackLog {
  return { source: "audit", group: `/cometchat-functions/${stackName}/audit` };
}

/**
 * Writes a line before a command's first change, and one at its end. Both methods throw the SDK's errors, and
 * an Error if the line's time is refused.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_RejectedLogEventsInfo.html
 * @param command has no secrets: no command takes one as an argument or option
 */
export function createAudit(
  target: Pick<Target, "stackName" | "identity" | "client" | "settings">,
  { name, typed }: { readonly name: string; readonly typed: object },
  { now, token }: Pick<CliEdges, "now" | "token">,
) {
  const { kmsKey, retention: { auditDays } = {} } = target.settings;
  const client = target.client(CloudWatchLogsClient, "CLOUDWATCH_LOGS");
  const logGroupName = auditLogOf(target).group;
  const id = token();
  const stream = { logGroupName, logStreamName: id };
  let isBegun = false;
  const write = async (message: string, others: object) => {
    const timestamp = now();
    const head = { timestamp: new Date(timestamp).toISOString(), level: "INFO", message };
    const line = { ...head, by: target.identity, id, command: name, ...others };
    const logEvents = [{ timestamp, message: hideSecrets(JSON.stringify(line)) }];
    const { rejectedLogEventsInfo: rejected } = await client.send(
      new PutLogEventsCommand({ ...stream, logEvents }),
    );
    if (rejected !== undefined) {
      const why = Object.keys(rejected).join();
      throw new Error(`CloudWatch Logs did not take the line (${why}). Is this machine's clock right?`);
    }
  };
  return {
    begin: async () => {
      if (isBegun) return;
      isBegun = true;
      const keepFor = (retentionInDays: number) =>
        client.send(new PutRetentionPolicyCommand({ logGroupName, retentionInDays }));
      const createStream = () => client.send(new CreateLogStreamCommand(stream));
      await createStream().catch(async (error: unknown) => {
        if (!isNotFound(error)) throw error;
        await client.send(new CreateLogGroupCommand({ logGroupName, kmsKeyId: kmsKey }));
        await keepFor(usualAuditDays);
        await createStream();
      });
      await write("began a command", { typed });
      // A user without the right to set it still leaves a line.
      if (auditDays !== undefined) await keepFor(auditDays).catch(() => undefined);
    },
    end: async (exitCode: number) => {
      if (isBegun) await write("ended a command", { exitCode });
    },
  };
}
