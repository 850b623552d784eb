import { Empty } from "../../parts/empty.tsx";

export function FlowsView() {
  return <Empty title="Flows" />;
}
