import { ask } from "../../../parts/ask.ts";
import { Button } from "../../../parts/button.tsx";
import { go } from "../../../parts/route.ts";
import { Time } from "../../../parts/time.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { ConfirmButton } from "../confirm.tsx";
import { PartHead, PartTrouble } from "../part-head.tsx";
import { ProfileCard } from "../profile-card.tsx";
import { toChatOf, toWorld } from "../to-world.ts";
import type { WirePage, WireUser } from "../wire.ts";
import { unsettableOfUser, userFields } from "./user-fields.ts";
import { UserRelations } from "./user-relations.tsx";
import { UserState } from "./user-state.tsx";
import { UserTokens } from "./user-tokens.tsx";

export function UserDetail({ appId, uid }: { appId: string; uid: string }) {
  // Only the list finds deactivated users; an exact uid comes first in it.
  const search = new URLSearchParams({
    searchKey: uid,
    searchIn: "uid",
    withDeactivated: "true",
    perPage: "10",
    withTags: "true",
  });
  const { value, error, isLoading, reload } = useResource<WirePage<WireUser>>(
    `/api/chat/${appId}/users?${search}`,
    ["world"],
  );
  const user = value?.data.find((one) => one.uid === uid.toLowerCase());
  if (user === undefined) {
    return (
      <>
        <PartHead title={uid} back={{ href: toWorld(["users"]), title: "Users" }} />
        {!isLoading && <PartTrouble error={error ?? `The app has no user ${uid}.`} />}
      </>
    );
  }
  const path = `/api/chat/${appId}/users/${encodeURIComponent(user.uid)}`;
  return (
    <>
      <PartHead
        title={user.name}
        back={{ href: toWorld(["users"]), title: "Users" }}
        says={
          <>
            <code>{user.uid}</code> <UserState user={user} /> since{" "}
            <Time ms={user.createdAt * 1_000} withDate={true} />
          </>
        }
      >
        <a class="world-link" href={toChatOf(user.uid)}>
          Open chat as this user
        </a>
        <UserActs appId={appId} user={user} reload={reload} />
      </PartHead>
      <div class="world-cards">
        <ProfileCard
          path={path}
          fields={userFields}
          entity={user}
          unsettable={unsettableOfUser}
          reload={reload}
        />
        {user.deactivatedAt === undefined && (
          <div class="world-column">
            <UserTokens appId={appId} uid={user.uid} />
            <UserRelations key="friends" path={path} kind="friends" />
            <UserRelations key="blocked" path={path} kind="blockedusers" />
          </div>
        )}
      </div>
    </>
  );
}

function UserActs({ appId, user, reload }: { appId: string; user: WireUser; reload: () => void }) {
  const isActive = user.deactivatedAt === undefined;
  const isOnline = user.status === "available" || user.status === "online";
  const users = `/api/chat/${appId}/users`;
  const simulate = async (what: "connect" | "disconnect") => {
    const path = `/api/platform/apps/${appId}/users/${encodeURIComponent(user.uid)}/${what}`;
    await ask(path, { method: "POST", body: {} });
    reload();
  };
  const remove = (body: object) => async () => {
    await ask(`${users}/${encodeURIComponent(user.uid)}`, { method: "DELETE", body });
    go(toWorld(["users"]));
  };
  const setActive = async () => {
    if (isActive) await ask(users, { method: "DELETE", body: { uidsToDeactivate: [user.uid] } });
    else await ask(users, { method: "PUT", body: { uidsToActivate: [user.uid] } });
    reload();
  };
  return (
    <>
      {isActive && (
        <Button act={() => simulate(isOnline ? "disconnect" : "connect")}>
          {isOnline ? "Go offline" : "Come online"}
        </Button>
      )}
      <Button act={setActive}>{isActive ? "Deactivate" : "Reactivate"}</Button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${user.name}?`}
        says="The user is deleted; their messages stay. A deactivated user can be reactivated, a deleted one cannot."
        done={`Deleted ${user.uid}.`}
        act={remove({})}
      />
      <ConfirmButton
        label="Delete with messages"
        title={`Delete ${user.name} and all their messages?`}
        says="The user and all their messages are deleted (permanent: true). This cannot be undone."
        done={`Deleted ${user.uid} and their messages.`}
        act={remove({ permanent: true })}
      />
    </>
  );
}
