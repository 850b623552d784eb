import type { WebhooksAnswer } from "../../../api/world-webhooks.ts";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { useAppId } from "../../parts/facts.tsx";
import { SelectField } from "../../parts/field.tsx";
import { notifyDone, notifyFailed } from "../../parts/toasts.tsx";
import { Card, Part, toExplorer, usePart } from "./part.tsx";

export function WebhooksPart() {
  const appId = useAppId();
  const { value, error, reload } = usePart<WebhooksAnswer>(appId && `/api/world/webhooks/${appId}`);
  const act = async (method: "POST" | "PUT", path: string, done: string, body?: object) => {
    await send(method, path, body);
    reload();
    notifyDone(done);
  };
  const choose = (engine: string) =>
    act("PUT", `/api/platform/apps/${appId}/engine`, `The ${engine} engine now delivers.`, { engine });
  return (
    <Part
      title="Webhooks"
      says={
        <>
          In the API explorer: <a href={toExplorer("list-webhooks")}>webhooks</a> and their{" "}
          <a href={toExplorer("list-triggers")}>triggers</a>.
        </>
      }
      error={error}
    >
      {value !== undefined && value.problems.length > 0 && (
        <div class="trouble row is-apart" role="alert">
          <p>The functions may not receive the events of this app. {value.problems.join(" ")}</p>
          <Button act={() => act("POST", "/api/world/reconnect", "The functions are connected again.")}>
            Reconnect the functions
          </Button>
        </div>
      )}
      <Card
        title="Engine"
        says="One engine delivers at a time, as set in the dashboard; the webhooks of the other one get no events. The legacy engine asks before_message and has five triggers."
      >
        <SelectField
          label="Delivering"
          value={value?.engine ?? ""}
          onInput={(engine) => void choose(engine).catch(notifyFailed)}
          options={[["current", "current (version 2)"], "legacy"]}
        />
      </Card>
    </Part>
  );
}
