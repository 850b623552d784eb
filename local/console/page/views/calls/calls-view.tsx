import { Empty } from "../../parts/empty.tsx";

export function CallsView() {
  return <Empty title="Calls" />;
}
