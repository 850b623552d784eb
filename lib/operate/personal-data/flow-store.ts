import { sideBySide } from "../../base/side-by-side.ts";
import type { FlowOperator } from "../../flows/operate-flows.ts";
import type { Found, PersonalStore } from "./personal-store.ts";
import type { Person } from "./table-stores.ts";

/** `retentionPeriodInDays` of the function `flows` in serverless.yml. */
const endedFlowsKeptMs = 14 * 86_400_000;
const atOnce = 5;

/**
 * Returns the executions of flows as a store. A running flow that names the person is stopped without its own
 * clean-up; what Lambda stores of an ended one cannot be deleted, and ends by itself.
 */
export function flowStore(
  { appId, mentions }: Person,
  { list, show, cancel }: FlowOperator,
  now: () => number,
): PersonalStore {
  const stop = async (id: string) => {
    // A flow that listens for its cancellation is asked first, and stopped at the second request.
    if ((await cancel(id, "Its data was erased.")) === "asked") await cancel(id, "Its data was erased.");
  };
  return {
    name: "flows",
    find: async () => {
      const flows = await list({ limit: Number.POSITIVE_INFINITY });
      const found = await sideBySide(flows, atOnce, async ({ id }): Promise<Found[]> => {
        const flow = await show(id);
        if (flow?.appId !== appId || !mentions(flow)) return [];
        if (flow.status === "RUNNING") return [{ id, content: flow, erase: () => stop(id) }];
        const endsAt = new Date((flow.endedAt?.getTime() ?? now()) + endedFlowsKeptMs).toISOString();
        return [{ id, content: flow, endsAt }];
      });
      return { found: found.flat() };
    },
  };
}
