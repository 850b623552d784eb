import { Empty } from "../../parts/empty.tsx";

export function GroupsPart() {
  return <Empty title="Groups" />;
}
