import { Empty } from "../../parts/empty.tsx";

export function SwitchesPart() {
  return <Empty title="Switches" />;
}
