import { useRoute } from "../../parts/route.ts";
import { useFacts } from "../../parts/use-facts.ts";

/**
 * Tells which app the World view shows: the address's `app`, else the first; undefined until the apps are known. One that
 * is gone stays the one that is meant: what one does must not strike another.
 */
export function useAppId(): string | undefined {
  const apps = useFacts()?.apps;
  const wanted = useRoute().query.get("app");
  return apps && (wanted ?? apps[0]?.appId);
}
