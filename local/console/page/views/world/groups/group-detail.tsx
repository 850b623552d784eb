import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { go } from "../../../parts/route.ts";
import { Time } from "../../../parts/time.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { ConfirmButton } from "../confirm.tsx";
import { PartHead, PartTrouble } from "../part-head.tsx";
import { ProfileCard } from "../profile-card.tsx";
import { toChatOf, toWorld } from "../to-world.ts";
import type { WireGroup, WireOne } from "../wire.ts";
import { GroupBans } from "./group-bans.tsx";
import { groupFields, unsettableOfGroup } from "./group-fields.ts";
import { GroupMembers } from "./group-members.tsx";

export function GroupDetail({ appId, guid }: { appId: string; guid: string }) {
  const path = `/api/chat/${appId}/groups/${encodeURIComponent(guid)}`;
  const { value, error, reload } = useResource<WireOne<WireGroup>>(path, ["world"]);
  const group = value?.data;
  if (group === undefined || error !== undefined) {
    return (
      <>
        <PartHead title={guid} back={{ href: toWorld(["groups"]), title: "Groups" }} />
        <PartTrouble error={error} />
      </>
    );
  }
  return (
    <>
      <PartHead
        title={group.name}
        back={{ href: toWorld(["groups"]), title: "Groups" }}
        says={
          <>
            <code>{group.guid}</code> <Badge>{group.type}</Badge> owned by <code>{group.owner}</code> since{" "}
            <Time ms={group.createdAt * 1_000} withDate={true} />
          </>
        }
      >
        {group.owner !== "app_system" && (
          <a class="world-link" href={toChatOf(group.owner, `group_${group.guid}`)}>
            Open chat as the owner
          </a>
        )}
        <ConfirmButton
          label="Delete"
          title={`Delete ${group.name}?`}
          says="The group, its memberships and all its messages are deleted. This cannot be undone."
          done={`Deleted ${group.guid}.`}
          act={async () => {
            await ask(path, { method: "DELETE" });
            go(toWorld(["groups"]));
          }}
        />
      </PartHead>
      <div class="world-cards">
        <ProfileCard
          path={path}
          fields={groupFields}
          entity={group}
          unsettable={unsettableOfGroup}
          reload={reload}
        />
        <div class="world-column">
          <GroupMembers path={path} group={group} reloadGroup={reload} />
          <GroupBans path={path} />
        </div>
      </div>
    </>
  );
}
