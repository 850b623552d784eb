import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { notifyDone, notifyFailed } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { type SettingFact, settingFacts } from "./setting-facts.ts";
import { useAppId } from "./use-app-id.ts";

const listSetting = "core.notifications.push.advanced.included";

/** The platform's answer for one setting. */
interface Result {
  readonly success?: boolean;
  readonly error?: { readonly message: string };
}

export function SettingsPart() {
  const appId = useAppId();
  const path = `/api/management/apps/${appId}/settings`;
  const { value, error, reload } = useResource<{ data: Readonly<Record<string, unknown>> }>(appId && path, [
    "world",
  ]);
  const settings = value?.data ?? {};
  const set = async (key: string, wanted: unknown) => {
    try {
      const { data } = await ask<{ data: Readonly<Record<string, Result | undefined>> }>(path, {
        method: "POST",
        body: { settings: { [key]: wanted } },
      });
      if (data[key]?.success === false) throw new Error(data[key].error?.message ?? "Refused.");
      notifyDone("Saved.");
    } catch (failure) {
      notifyFailed(failure);
    }
    reload();
  };
  return (
    <>
      <PartHead
        title="Settings"
        says="This app's settings in the Management API. Changes take effect immediately."
      >
        <ConfirmButton
          label="Reset to defaults"
          title="Reset all settings to their defaults?"
          says="Clears every setting of this app, like DELETE /apps/{appId}/settings."
          done="All settings are reset to their defaults."
          act={async () => {
            await ask(path, { method: "DELETE" });
            reload();
          }}
        />
      </PartHead>
      <PartTrouble error={error} />
      <div class="stack">
        {settingFacts.map(({ group, says, settings: facts }) => (
          <Card key={group} title={group} says={says}>
            <ul class="lines">
              {facts.map((fact) => (
                <SettingRow
                  key={fact.key}
                  fact={fact}
                  value={settings[fact.key]}
                  onSet={(wanted) => void set(fact.key, wanted)}
                />
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}

function SettingRow({
  fact: { key, title, hint, acts, initial },
  value,
  onSet,
}: {
  fact: SettingFact;
  value: unknown;
  onSet: (wanted: unknown) => void;
}) {
  return (
    <li>
      <div>
        <p>{title}</p>
        <p class="soft">{hint}</p>
        <p>
          <code>{key}</code>{" "}
          {acts ? <Badge tone="good">takes effect here</Badge> : <Badge tone="waiting">only stored</Badge>}
          {value !== undefined && value !== initial && <Badge>changed</Badge>}
        </p>
      </div>
      {key === listSetting ? (
        <input
          type="text"
          aria-label={title}
          placeholder="separated by commas"
          value={Array.isArray(value) ? value.join(", ") : ""}
          onChange={({ currentTarget }) => onSet(currentTarget.value.split(/\s*,\s*/).filter(Boolean))}
        />
      ) : (
        <input
          type="checkbox"
          class="pick"
          aria-label={title}
          checked={(value ?? initial) === true}
          onChange={({ currentTarget }) => onSet(currentTarget.checked)}
        />
      )}
    </li>
  );
}
