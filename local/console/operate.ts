import { randomUUID } from "node:crypto";
import timers from "node:timers/promises";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import type { Table } from "../../lib/aws/table.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { QueueBusyError } from "../../lib/queue/wait-for-others.ts";
import { consoleKeyId, localCredentials } from "../cloud/local-aws.ts";
import type { Cloud } from "../cloud/start-cloud.ts";
import { WrongInputError } from "./read-input.ts";

export interface ConsoleOperator {
  readonly services: OperatorServices;
  tableOf(logicalId: string, sortKey?: string): Table;
  /** Delivers waiting messages now. Returns how many match, waiting or not. */
  hasten(logicalId: string, isMeant: (body: string) => boolean): number;
}

export function operatorOf(cloud: Cloud, now: () => number): ConsoleOperator {
  const { resources, endpoints, region: AWS_REGION } = cloud;
  const callAws = createAwsCaller({
    ...endpoints,
    AWS_REGION,
    AWS_ACCESS_KEY_ID: consoleKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
  const resourceOf = (logicalId: string) => {
    const resource = resources[logicalId];
    if (resource === undefined)
      throw new Error(`serverless.yml declares no ${logicalId} in this local stack.`);
    return resource;
  };
  const urlOf = (logicalId: string) => resourceOf(logicalId).url ?? "";
  return {
    services: {
      callAws,
      queueUrls: {
        events: urlOf("EventsQueue"),
        calls: urlOf("CallsQueue"),
        parkedLanes: urlOf("ParkedLanesQueue"),
        deadLetters: urlOf("DeadLetterQueue"),
        quarantine: urlOf("QuarantineQueue"),
      },
      now,
      sleep: async (ms) => {
        await timers.setTimeout(ms);
      },
      token: randomUUID,
    },
    tableOf: (logicalId, sortKey) =>
      createTable({
        callAws,
        tableName: resourceOf(logicalId).name,
        ...(sortKey !== undefined && { sortKey }),
      }),
    hasten(logicalId, isMeant) {
      const { queue } = cloud.stores.queues.get(resourceOf(logicalId).name);
      const meant = queue.peek().filter(({ body }) => isMeant(body));
      for (const { messageId } of meant) queue.hasten(messageId);
      return meant.length;
    },
  };
}

export function refuseWhenBusy(error: unknown): never {
  if (!(error instanceof QueueBusyError)) throw error;
  throw new WrongInputError(`Nothing was changed. ${error.message}`, 409);
}
