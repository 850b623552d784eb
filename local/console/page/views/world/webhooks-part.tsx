import { useRoute } from "../../parts/route.ts";
import { useAppId } from "./use-app-id.ts";
import { WebhookDetail } from "./webhooks/webhook-detail.tsx";
import { WebhookList } from "./webhooks/webhook-list.tsx";

export function WebhooksPart() {
  const appId = useAppId();
  const [, engine, id] = useRoute().rest;
  if (appId === undefined) return null;
  if (id === undefined || (engine !== "current" && engine !== "legacy")) return <WebhookList appId={appId} />;
  return <WebhookDetail key={`${engine}/${id}`} appId={appId} engine={engine} id={id} />;
}
