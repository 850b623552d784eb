import { randomUUID } from "node:crypto";
import timers from "node:timers/promises";
import { type AwsCaller, createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createTable } from "../../lib/aws/create-table.ts";
import type { Table } from "../../lib/aws/table.ts";
import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import { addressesOf } from "../cloud/cloud-services.ts";
import type { Cloud } from "../cloud/start-cloud.ts";

export interface ConsoleOperator {
  readonly services: OperatorServices;
  /**
   * Opens a table by its logical id.
   * @param sortKey the name of its sort key, if it has one
   */
  tableOf(logicalId: string, sortKey?: string): Table;
}

/**
 * Makes no request yet.
 * @param now the local stack's time
 */
export function operatorOf(
  { region, endpoints, resources }: Cloud,
  now: () => number = Date.now,
): ConsoleOperator {
  const callAws: AwsCaller = createAwsCaller({
    ...addressesOf(endpoints),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
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
  };
}
