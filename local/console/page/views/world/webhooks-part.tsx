import type { WebhooksAnswer } from "../../../api/world-webhooks.ts";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/field.tsx";
import { notifyDone, notifyFailed } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { toExplorer } from "./to-explorer.ts";
import { useAppId } from "./use-app-id.ts";

export function WebhooksPart() {
  const appId = useAppId();
  const { value, error, reload } = useResource<WebhooksAnswer>(appId && `/api/world/webhooks/${appId}`, [
    "world",
  ]);
  const choose = async (engine: string) => {
    await ask(`/api/platform/apps/${appId}/engine`, { method: "PUT", body: { engine } });
    reload();
    notifyDone(`The ${engine} engine now delivers.`);
  };
  const reconnect = async () => {
    await ask("/api/world/reconnect", { method: "POST" });
    reload();
    notifyDone("The functions are connected again.");
  };
  return (
    <>
      <PartHead
        title="Webhooks"
        says={
          <>
            In the API explorer: <a href={toExplorer("list-webhooks")}>webhooks</a> and their{" "}
            <a href={toExplorer("list-triggers")}>triggers</a>.
          </>
        }
      />
      <PartTrouble error={error} />
      {value !== undefined && value.problems.length > 0 && (
        <div class="trouble row is-apart" role="alert">
          <p>The functions may not receive the events of this app. {value.problems.join(" ")}</p>
          <Button act={reconnect}>Reconnect the functions</Button>
        </div>
      )}
      {value !== undefined && (
        <Card
          title="Engine"
          says="One engine delivers at a time, as set in the dashboard; the webhooks of the other one get no events. The legacy engine asks before_message and has five triggers."
        >
          <SelectField
            label="Delivering"
            value={value.engine}
            onInput={(engine) => void choose(engine).catch(notifyFailed)}
            options={[["current", "current (version 2)"], "legacy"]}
          />
        </Card>
      )}
    </>
  );
}
