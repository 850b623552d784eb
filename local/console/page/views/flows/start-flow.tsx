import { useEffect, useState } from "preact/hooks";
import type { FlowKind, FlowKinds } from "../../../api/flows.ts";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { appOptions, useAppId, useFacts } from "../../parts/facts.tsx";
import { SelectField } from "../../parts/field.tsx";
import { JsonInput } from "../../parts/json/json-input.tsx";
import { write } from "../../parts/json/values.ts";
import { go, toHash } from "../../parts/route.ts";
import { Empty } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";

export function StartFlow({ wanted }: { wanted: string | undefined }) {
  const { value, error, reload } = useResource<FlowKinds>("/api/flow-kinds", ["reload"]);
  const kinds = value?.kinds ?? [];
  const kind = kinds.find(({ name }) => name === wanted) ?? kinds[0];
  return (
    <section class="page stack" aria-label="Start a flow">
      <a href={toHash("flows")}>‹ All flows</a>
      <h2>Start a flow by hand</h2>
      {error && (
        <>
          <pre class="trouble">{error}</pre>
          <Button act={reload}>Read the flows again</Button>
        </>
      )}
      {value !== undefined && kind === undefined && (
        <Empty title="There is no flow">
          Write one and name it in functions/own/flows.ts (docs/flows.md).
        </Empty>
      )}
      {kind && <StartForm kind={kind} kinds={kinds} />}
    </section>
  );
}

function StartForm({ kind, kinds }: { kind: FlowKind; kinds: readonly FlowKind[] }) {
  const apps = useFacts()?.apps ?? [];
  const appId = useAppId() ?? "";
  const sample = write(kind.input);
  const [text, setText] = useState(sample);
  useEffect(() => setText(sample), [kind.name, sample]);
  const choose = (change: Readonly<Record<string, string>>) =>
    go(toHash("flows", ["start"], { flow: kind.name, app: appId, ...change }));
  const start = async () => {
    const body = { flow: kind.name, appId, input: JSON.parse(text) };
    const { id } = await send<{ id: string }>("POST", "/api/flows", body);
    go(toHash("flows", [id]));
  };
  return (
    <div class="card">
      <div class="tiles">
        <SelectField
          label="Flow"
          value={kind.name}
          options={kinds.map(({ name }) => name)}
          onInput={(flow) => choose({ flow })}
        />
        <SelectField
          label="App"
          value={appId}
          options={appOptions(apps, appId)}
          onInput={(app) => choose({ app })}
        />
      </div>
      {kind.waitsFor.length > 0 && <p class="soft">It may wait for {kind.waitsFor.join(", ")}.</p>}
      <JsonInput label="Input" text={text} base={kind.input} onText={setText} />
      <div class="buttons">
        <Button kind="main" act={start} isDisabled={appId === ""}>
          Start
        </Button>
      </div>
    </div>
  );
}
