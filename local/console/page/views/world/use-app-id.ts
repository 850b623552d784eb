import { useRoute } from "../../parts/route.ts";
import { useFacts } from "../../parts/use-facts.ts";

/**
 * The address's `app`, else the first one; undefined until the apps are known.
 * A removed app stays selected, so that no action affects another one.
 */
export function useAppId(): string | undefined {
  const apps = useFacts()?.apps;
  const wanted = useRoute().query.get("app");
  return apps && (wanted ?? apps[0]?.appId);
}
