import type { FlowOperator } from "../../flows/operate-flows.ts";
import type { PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

/** `retentionPeriodInDays` of the function `flows` in serverless.yml. */
const endedFlowsKeptMs = 14 * 86_400_000;

/**
 * Returns the executions of flows as a store. A running flow that names the person is stopped without its own
 * clean-up; what Lambda stores of an ended one cannot be deleted, and ends by itself.
 */
export function flowStore({ appId, mentions }: Person, { list, show, cancel }: FlowOperator): PersonalStore {
  const find = async function* () {
    for (const { id, endedAt } of await list({ limit: Number.POSITIVE_INFINITY })) {
      const content = await show(id);
      if (content?.appId !== appId || !mentions(content)) continue;
      const endsAt = endedAt && new Date(endedAt.getTime() + endedFlowsKeptMs).toISOString();
      const erase = async () => {
        // A flow that listens for its cancellation is asked first, and stopped at the second request.
        if ((await cancel(id, "erased")) === "asked") await cancel(id, "erased");
      };
      yield { id, content, ...(endsAt === undefined ? { erase } : { endsAt }) };
    }
  };
  return { name: "flows", find };
}
