import { useState } from "preact/hooks";
import type { TriedText, WebhooksAnswer } from "../../../api/stack.ts";
import { send } from "../../parts/ask.ts";
import { Button, notifyDone, notifyFailed } from "../../parts/button.tsx";
import { Form, type ValueOf } from "../../parts/dialog.tsx";
import { useAppId } from "../../parts/facts.tsx";
import { SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { Badge, type Tone, WithCode } from "../../parts/texts.tsx";
import { Card, Line, Part, toExplorer, usePart } from "./part.tsx";

type Value = string | number | boolean;

interface SwitchDefinition {
  readonly initial: Value;
  readonly allowed?: readonly (string | number)[];
  readonly level: string;
  readonly source: string;
  readonly says: string;
}

interface Answer {
  readonly values: Readonly<Record<string, Value>>;
  readonly facts: Readonly<Record<string, SwitchDefinition>>;
}

const groups: readonly (readonly [level: string, title: string, tone: Tone, description: string])[] = [
  [
    "assumed",
    "Assumed",
    "waiting",
    "No page documents this behaviour. Change it to test your app against the alternative.",
  ],
  ["live", "Seen live", "good", "Seen on the real platform, sometimes contrary to its documentation."],
  ["documented", "Documented", "good", "Stated by a page of the platform."],
];

export function SwitchesPart() {
  const part = usePart<Answer>("/api/platform/switches");
  const { facts = {}, values = {} } = part.value ?? {};
  const changed = Object.keys(facts).filter((name) => values[name] !== facts[name]?.initial).length;
  return (
    <Part
      title="Switches"
      description="How the emulated platform behaves where the documentation leaves it open."
      error={part.error}
      acts={
        <Button
          act={() => part.change("DELETE", "", undefined, "All switches are reset.")}
          isDisabled={changed === 0}
        >
          Reset {changed || "all"}
        </Button>
      }
    >
      {groups.map(([level, title, tone, description]) => (
        <Card key={level} title={title} description={description}>
          <ul class="lines">
            {Object.entries(facts)
              .filter(([, definition]) => definition.level === level)
              .map(([name, definition]) => (
                <Line
                  key={name}
                  name={name}
                  title={
                    <>
                      <code>{name}</code> <Badge tone={tone}>{definition.level}</Badge>{" "}
                      {values[name] !== definition.initial && (
                        <Badge>default {String(definition.initial)}</Badge>
                      )}
                    </>
                  }
                  description={<WithCode text={definition.says} />}
                  more={definition.source}
                  value={values[name]}
                  allowed={definition.allowed}
                  set={(wanted) => part.set("PATCH", "", { [name]: wanted })}
                />
              ))}
          </ul>
        </Card>
      ))}
    </Part>
  );
}

const description = {
  approved: "No rule matches. It would be approved.",
  blocked: "It would be blocked.",
  dropped: "It would be dropped and not stored.",
  "not judged": "No rule for texts is on. It would not be moderated.",
} as const;

const names = ["text", "sender", "receiver", "receiverType"];

export function ModerationPart() {
  const appId = useAppId();
  const [tried, setTried] = useState<TriedText>();
  const check = async (get: ValueOf) => {
    const asked = Object.fromEntries(names.map((name) => [name, get(name)]));
    setTried(await send<TriedText>("POST", `/api/stack/moderation/${appId}/try`, asked));
  };
  return (
    <Part
      title="Moderation"
      description={
        <>
          The <a href={toExplorer("list-rules")}>rules</a> are in the API explorer.
        </>
      }
    >
      <Card title="Try a text" description="Nothing is stored, no event fires, and no service is called.">
        <Form label="Check" act={check} isDisabled={appId === undefined}>
          <TextArea label="Text" rows={4} name="text" />
          <TextField label="From" placeholder="UID" name="sender" />
          <TextField label="To" placeholder="UID or GUID" name="receiver" />
          <SelectField label="Which is a" options={["user", "group"]} name="receiverType" />
        </Form>
        <div role="status">{tried && <Verdict {...tried} />}</div>
      </Card>
    </Part>
  );
}

function Verdict({ outcome, rule }: TriedText) {
  return (
    <>
      <p>
        <Badge tone={outcome === "blocked" || outcome === "dropped" ? "bad" : "good"}>{outcome}</Badge>{" "}
        {description[outcome]}
      </p>
      {rule && (
        <p>
          By <bdi>{rule.name}</bdi> (<code>{rule.id}</code>). {rule.message}
        </p>
      )}
    </>
  );
}

export function WebhooksPart() {
  const appId = useAppId();
  const { value, error, reload } = usePart<WebhooksAnswer>(appId && `/api/stack/webhooks/${appId}`);
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
      description={
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
          <Button act={() => act("POST", "/api/stack/reconnect", "The functions are connected again.")}>
            Reconnect the functions
          </Button>
        </div>
      )}
      <Card
        title="Engine"
        description="One engine delivers at a time, as set in the dashboard; the webhooks of the other one get no events. The legacy engine asks before_message and has five triggers."
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
