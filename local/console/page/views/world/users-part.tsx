import { useRoute } from "../../parts/route.ts";
import { useAppId } from "./use-app-id.ts";
import { UserDetail } from "./users/user-detail.tsx";
import { UserList } from "./users/user-list.tsx";

export function UsersPart() {
  const appId = useAppId();
  const [, uid] = useRoute().rest;
  if (appId === undefined) return null;
  return uid ? <UserDetail key={uid} appId={appId} uid={uid} /> : <UserList appId={appId} />;
}
