import { Empty } from "../../parts/empty.tsx";

export function JourneysView() {
  return <Empty title="Journeys" />;
}
