import { createTable } from "../../lib/aws/create-table.ts";
import { openLaneStores } from "../../lib/queue/lanes/lane-stores.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/** What the lanes table holds. Makes no request yet. */
export function openStores({ callAws }: Target, { physicalId }: Stack, now: () => number) {
  const tableName = physicalId("LanesTable");
  return openLaneStores(createTable({ callAws, tableName, sortKey: "item" }), now);
}
