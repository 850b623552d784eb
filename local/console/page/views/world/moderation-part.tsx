import { Empty } from "../../parts/empty.tsx";

export function ModerationPart() {
  return <Empty title="Moderation" />;
}
