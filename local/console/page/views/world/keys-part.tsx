import { BotsCard } from "./keys/bots-card.tsx";
import { KeysCard } from "./keys/keys-card.tsx";
import { ManagementCard } from "./keys/management-card.tsx";
import { RolesCard } from "./keys/roles-card.tsx";
import { PartHead } from "./part-head.tsx";
import { useAppId } from "./use-app-id.ts";

export function KeysPart() {
  const appId = useAppId();
  if (appId === undefined) return null;
  return (
    <>
      <PartHead
        title="Keys & bots"
        says="Keys are masked. Copy puts a value on the clipboard without showing it."
      />
      <div class="world-column">
        <KeysCard appId={appId} />
        <ManagementCard />
        <BotsCard appId={appId} />
        <RolesCard appId={appId} />
      </div>
    </>
  );
}
