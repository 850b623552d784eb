import { useRoute } from "../../parts/route.ts";
import { KeywordLists } from "./moderation/keyword-lists.tsx";
import { ModerationQueue } from "./moderation/moderation-queue.tsx";
import { ModerationServices } from "./moderation/moderation-services.tsx";
import { Reasons } from "./moderation/reasons.tsx";
import { Rules } from "./moderation/rules.tsx";
import { TryText } from "./moderation/try-text.tsx";
import { PartHead } from "./part-head.tsx";
import { Tabs } from "./tabs.tsx";
import { toWorld } from "./to-world.ts";
import { useAppId } from "./use-app-id.ts";

const pages = [
  { name: "queue", title: "Queue", Page: ModerationQueue },
  { name: "rules", title: "Rules", Page: Rules },
  { name: "lists", title: "Keyword lists", Page: KeywordLists },
  { name: "reasons", title: "Reasons", Page: Reasons },
  { name: "services", title: "Services & hooks", Page: ModerationServices },
  { name: "try", title: "Try a text", Page: TryText },
] as const;

export function ModerationPart() {
  const appId = useAppId();
  const { rest, query } = useRoute();
  const { name, Page } = pages.find((page) => page.name === rest[1]) ?? pages[0];
  if (appId === undefined) return null;
  const app = query.get("app") ?? undefined;
  return (
    <>
      <PartHead title="Moderation" says="Rules judge every message; moderators can overrule them." />
      <Tabs
        label="Moderation"
        current={name}
        tabs={pages.map((page) => ({ ...page, href: toWorld(["moderation", page.name], { app }) }))}
      />
      <div class="world-column">
        <Page appId={appId} />
      </div>
    </>
  );
}
