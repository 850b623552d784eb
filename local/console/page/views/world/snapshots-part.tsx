import { Empty } from "../../parts/empty.tsx";

export function SnapshotsPart() {
  return <Empty title="Snapshots" />;
}
