import { randomUUID } from "node:crypto";
import { localAccountId } from "../local-aws.ts";

/**
 * Makes the event of a schedule without `input`.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html
 */
export function writeScheduledEvent(functionKey: string, region: string, nowMs: number): object {
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account: localAccountId,
    time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    region,
    resources: [`arn:aws:events:${region}:${localAccountId}:rule/${functionKey}-schedule`],
    detail: {},
  };
}
