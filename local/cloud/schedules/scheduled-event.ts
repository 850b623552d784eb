import { randomUUID } from "node:crypto";
import { localAccountId } from "../local-aws.ts";

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
