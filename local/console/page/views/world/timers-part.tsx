import { Empty } from "../../parts/empty.tsx";

export function TimersPart() {
  return <Empty title="Timers" />;
}
