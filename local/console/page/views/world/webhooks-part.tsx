import { Empty } from "../../parts/empty.tsx";

export function WebhooksPart() {
  return <Empty title="Webhooks" />;
}
