import { Empty } from "../../parts/empty.tsx";

export function ClockPart() {
  return <Empty title="Clock" />;
}
