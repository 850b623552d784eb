import type { StackFacts } from "../../api/stack.ts";
import { useRoute } from "./route.ts";
import { useResource } from "./use-resource.ts";

type Apps = StackFacts["apps"];

export function useFacts(): StackFacts | undefined {
  return useResource<StackFacts>("/api/facts", ["stack"]).value;
}

/** Returns the selected app, even if removed: no action affects another one. */
export function useAppId(): string | undefined {
  const apps = useFacts()?.apps;
  const wanted = useRoute().query.get("app");
  return apps && (wanted ?? apps[0]?.appId);
}

/** Lists apps, with the id if names are not unique; also a chosen app that is gone. */
export function appOptions(apps: Apps, chosen: string | undefined) {
  const isGone = chosen !== undefined && apps.every(({ appId }) => appId !== chosen);
  return [
    ...(isGone ? [[chosen, `${chosen} (not found)`] as const] : []),
    ...apps.map(({ appId, name }) => {
      const isShared = apps.some((other) => other.name === name && other.appId !== appId);
      return [appId, isShared ? `${name} (${appId})` : name] as const;
    }),
  ];
}

/** Shown beside other apps only. */
export function AppId({ of }: { of: string }) {
  const hasOthers = (useFacts()?.apps.length ?? 0) > 1;
  return <>{hasOthers && <code>{of}</code>}</>;
}

/** Opens a place of the project, such as `functions/own/x.ts:3`, in the editor. */
export function SourceLink({ place }: { place: string }) {
  const folder = useFacts()?.folder;
  return (
    <a href={`vscode://file/${folder}/${place}`} title="Open in VS Code">
      <code>{place}</code>
    </a>
  );
}
