import { listApps } from "../platform/store/apps.ts";
import { countMessages } from "../platform/store/messages.ts";
import type { LocalStack } from "./local-stack.ts";

export interface FoundData {
  readonly messages: number;
  readonly queued: Readonly<Record<string, number>>;
}

export function countFound({
  platform: {
    services: { db },
  },
  cloud,
}: {
  readonly platform: Pick<LocalStack["platform"], "services">;
  readonly cloud: Pick<LocalStack["cloud"], "resources" | "queueDepth">;
}): FoundData {
  const queued = Object.entries(cloud.resources).flatMap(([logicalId, { type }]) => {
    if (type !== "queue") return [];
    const { visible, inFlight, delayed } = cloud.queueDepth(logicalId);
    const count = visible + inFlight + delayed;
    return count === 0 ? [] : [[logicalId, count] as const];
  });
  return {
    messages: listApps(db).reduce((sum, { appId }) => sum + countMessages({ db, appId }, []), 0),
    queued: Object.fromEntries(queued),
  };
}

export function describeFound({ messages, queued }: FoundData): string {
  const parts = [
    `${messages} ${messages === 1 ? "message" : "messages"}`,
    ...Object.entries(queued).map(([name, count]) => `${count} in ${name}`),
  ];
  return parts.join(", ");
}
