import { useEffect, useState } from "preact/hooks";
import type { FlowKind, FlowKinds } from "../../../api/flows.ts";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextArea } from "../../parts/field.tsx";
import { go, toHash } from "../../parts/route.ts";
import { useFacts } from "../../parts/use-facts.ts";
import { useResource } from "../../parts/use-resource.ts";
import { mistakeIn, wordsOfMistake } from "../try/json-edit.ts";
import { JsonForm } from "../try/json-form.tsx";
import { write } from "../try/use-draft.ts";

export function StartFlow({ wanted, appId }: { wanted: string | undefined; appId: string | undefined }) {
  const apps = useFacts()?.apps ?? [];
  const { value, error, reload } = useResource<FlowKinds>("/api/flow-kinds", ["reload"]);
  const kinds = value?.kinds ?? [];
  const kind = kinds.find(({ name }) => name === wanted) ?? kinds[0];
  return (
    <section class="page stack" aria-label="Start a flow">
      <a href={toHash("flows")}>‹ All flows</a>
      <h2>Start a flow by hand</h2>
      {error !== undefined && (
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
      {kind !== undefined && (
        <StartForm
          kind={kind}
          kinds={kinds}
          appId={appId ?? apps[0]?.appId ?? ""}
          appIds={apps.map((app) => app.appId)}
        />
      )}
    </section>
  );
}

function StartForm({
  kind,
  kinds,
  appId,
  appIds,
}: {
  kind: FlowKind;
  kinds: readonly FlowKind[];
  appId: string;
  appIds: readonly string[];
}) {
  const [text, setText] = useState("{}");
  useEffect(() => setText(write(kind.input)), [kind.name, JSON.stringify(kind.input)]);
  const mistake = mistakeIn(text);
  const choose = (change: Readonly<Record<string, string>>) =>
    go(toHash("flows", ["start"], { flow: kind.name, app: appId, ...change }));
  const start = async () => {
    const body = { flow: kind.name, appId, input: JSON.parse(text) };
    const { id } = await ask<{ id: string }>("/api/flows", { method: "POST", body });
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
        <SelectField label="App" value={appId} options={appIds} onInput={(app) => choose({ app })} />
      </div>
      {kind.waitsFor.length > 0 && <p class="soft">It may wait for {kind.waitsFor.join(", ")}.</p>}
      <fieldset aria-label="Input">
        <JsonForm
          value={mistake === undefined ? JSON.parse(text) : {}}
          base={kind.input}
          onChange={(input) => setText(write(input))}
        />
      </fieldset>
      <TextArea
        label="The same as JSON"
        isCode
        rows={8}
        value={text}
        onInput={setText}
        {...(mistake !== undefined && { error: wordsOfMistake(mistake) })}
      />
      <div class="buttons">
        <Button kind="main" act={start} isDisabled={mistake !== undefined || appId === ""}>
          Start
        </Button>
      </div>
    </div>
  );
}
