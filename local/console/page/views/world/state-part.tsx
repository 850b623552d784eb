import { Empty } from "../../parts/empty.tsx";

export function StatePart() {
  return <Empty title="State" />;
}
