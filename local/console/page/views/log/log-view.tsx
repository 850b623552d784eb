import { Empty } from "../../parts/empty.tsx";

export function LogView() {
  return <Empty title="Log" />;
}
