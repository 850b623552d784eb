import { Empty } from "../../parts/empty.tsx";

export function QueuesView() {
  return <Empty title="Queues" />;
}
