import { Empty } from "../../parts/empty.tsx";

export function FidelityPart() {
  return <Empty title="Fidelity" />;
}
