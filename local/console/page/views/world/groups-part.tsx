import { useRoute } from "../../parts/route.ts";
import { GroupDetail } from "./groups/group-detail.tsx";
import { GroupList } from "./groups/group-list.tsx";
import { useAppId } from "./use-app-id.ts";

export function GroupsPart() {
  const appId = useAppId();
  const [, guid] = useRoute().rest;
  if (appId === undefined) return null;
  return guid ? <GroupDetail key={guid} appId={appId} guid={guid} /> : <GroupList appId={appId} />;
}
