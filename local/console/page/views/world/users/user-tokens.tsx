import type { MaskedToken } from "../../../../api/world-keys.ts";
import { ask } from "../../../parts/ask.ts";
import { Button, CopyButton } from "../../../parts/button.tsx";
import { Time } from "../../../parts/time.tsx";
import { notifyDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { Card, PartTrouble } from "../part-head.tsx";

export function UserTokens({ appId, uid }: { appId: string; uid: string }) {
  const path = `/api/world/tokens/${appId}/${encodeURIComponent(uid)}`;
  const { value, error, reload } = useResource<{ tokens: readonly MaskedToken[] }>(path, ["world"]);
  const tokens = value?.tokens ?? [];
  const act = async (method: "DELETE" | "POST", own: string, done: string) => {
    await ask(own, { method });
    reload();
    notifyDone(done);
  };
  return (
    <Card title={`Auth tokens (${tokens.length})`}>
      <PartTrouble error={error} />
      {tokens.length === 0 ? (
        <p class="soft">No device has logged in with a token yet.</p>
      ) : (
        <ul class="world-rows">
          {tokens.slice(0, 25).map(({ id, masked, createdAt }) => (
            <li key={id}>
              <span>
                <code>{masked}</code> <Time ms={createdAt * 1_000} withDate={true} />
              </span>
              <span class="buttons">
                <CopyButton
                  label={`Copy token ${masked}`}
                  text={async () =>
                    (await ask<{ value: string }>(`${path}/${id}/copy`, { method: "POST" })).value
                  }
                />
                <Button
                  kind="quiet"
                  label={`Revoke token ${masked}`}
                  act={() => act("DELETE", `${path}/${id}`, "Revoked.")}
                >
                  Revoke
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        <Button act={() => act("POST", path, "Created a token.")}>Create a token</Button>
        {tokens.length > 1 && <Button act={() => act("DELETE", path, "Revoked all.")}>Revoke all</Button>}
      </div>
    </Card>
  );
}
