import { Empty } from "../../parts/empty.tsx";

export function FaultsPart() {
  return <Empty title="Faults" />;
}
