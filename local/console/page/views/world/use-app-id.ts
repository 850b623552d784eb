import { useRoute } from "../../parts/route.ts";
import { useFacts } from "../../parts/use-facts.ts";

/**
 * Returns the shown app: the address's `app`, else the first one; undefined until the apps are known. An app
 * that was removed stays selected, so that no action affects another one.
 */
export function useAppId(): string | undefined {
  const apps = useFacts()?.apps;
  const wanted = useRoute().query.get("app");
  return apps && (wanted ?? apps[0]?.appId);
}
