import { Empty } from "../../parts/empty.tsx";

export function SeedPart() {
  return <Empty title="Seed" />;
}
