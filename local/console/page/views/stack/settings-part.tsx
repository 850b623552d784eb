import { send } from "../../parts/ask.ts";
import { notifyDone, notifyFailed } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { useAppId } from "../../parts/facts.tsx";
import { Badge } from "../../parts/texts.tsx";
import { Card, Line, Part, usePart } from "./part.tsx";
import { settingFacts } from "./setting-facts.ts";

const listSetting = "core.notifications.push.advanced.included";

interface Results {
  readonly data: Readonly<
    Record<string, { readonly success?: boolean; readonly error?: { readonly message: string } } | undefined>
  >;
}

export function SettingsPart() {
  const appId = useAppId();
  const path = `/api/management/apps/${appId}/settings`;
  const part = usePart<{ data: Readonly<Record<string, unknown>> }>(appId && path);
  const set = async (key: string, wanted: unknown) => {
    const { data } = await send<Results>("POST", path, { settings: { [key]: wanted } });
    part.reload();
    if (data[key]?.success === false) throw new Error(data[key].error?.message ?? "Refused.");
    notifyDone("Saved.");
  };
  return (
    <Part
      title="Settings"
      description="This app's settings in the Management API. Changes take effect immediately."
      error={part.error}
      acts={
        <ConfirmButton
          label="Reset to defaults"
          title="Reset all settings to their defaults?"
          description="Clears every setting of this app, like DELETE /apps/{appId}/settings."
          done="All settings are reset to their defaults."
          act={() => part.change("DELETE", "")}
        />
      }
    >
      {settingFacts.map(({ group, description, settings }) => (
        <Card key={group} title={group} description={description}>
          <ul class="lines">
            {settings.map(({ key, title, hint, acts, initial }) => {
              const value = part.value?.data[key];
              return (
                <Line
                  key={key}
                  name={title}
                  title={title}
                  description={hint}
                  more={
                    <>
                      <code>{key}</code>{" "}
                      {acts ? (
                        <Badge tone="good">takes effect here</Badge>
                      ) : (
                        <Badge tone="waiting">only stored</Badge>
                      )}
                      {value !== undefined && value !== initial && <Badge>changed</Badge>}
                    </>
                  }
                  value={key === listSetting ? (value ?? []) : (value ?? initial) === true}
                  set={(wanted) => void set(key, wanted).catch(notifyFailed)}
                />
              );
            })}
          </ul>
        </Card>
      ))}
    </Part>
  );
}
