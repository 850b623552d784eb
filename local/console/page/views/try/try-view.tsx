import { Empty } from "../../parts/empty.tsx";

export function TryView() {
  return <Empty title="Try" />;
}
