import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ExplorerOperation, Fields } from "../../../api/explorer.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/button.tsx";
import { SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { toHash } from "../../parts/route.ts";
import { nameOfApp, useFacts } from "../../parts/use-facts.ts";
import { FormSwitch } from "../try/form-switch.tsx";
import { isGroup, wordsOfMistake } from "../try/json-edit.ts";
import { JsonForm } from "../try/json-form.tsx";
import { write } from "../try/use-draft.ts";
import { keyOfName, pathNames, takesBody, toCode, toCurl } from "./request.ts";
import type { Form } from "./use-given.ts";

interface FormProps {
  readonly operation: ExplorerOperation;
  readonly apps: WorldFacts["apps"];
  readonly form: Form;
}

export function OperationForm({ children, ...props }: FormProps & { readonly children: ComponentChildren }) {
  const { operation, form } = props;
  const names = pathNames(operation.path).filter((name) => name !== "appId");
  const keys = new Map(names.map((name) => [name, keyOfName(operation.path, name)]));
  return (
    <>
      <h2 class="code">{operation.method}</h2>
      <p class="row">
        <Badge>{operation.verb}</Badge> <code>{operation.path}</code>{" "}
        <a href={toHash("calls", [], { operation: operation.id })}>Calls</a>{" "}
        <a href={toHash("world", ["fidelity"], { search: operation.id })}>Fidelity</a>
      </p>
      <Caller {...props} />
      <Part
        title="Path"
        fields={Object.fromEntries(names.map((name) => [`${name}!`, "string"]))}
        value={Object.fromEntries([...keys].map(([name, key]) => [name, form.kept[key] ?? ""]))}
        onChange={(value) =>
          form.keep(Object.fromEntries([...keys].map(([name, key]) => [key, String(value[name])])))
        }
      />
      <Part title="Query" fields={operation.query} value={form.given.query} onChange={form.setQuery} />
      {takesBody(operation) && <Body operation={operation} form={form} />}
      <div class="buttons">{children}</div>
      <Copies {...props} />
    </>
  );
}

/** The app, and who asks it. */
function Caller({ operation: { service, onBehalfOf }, apps, form: { given, keep } }: FormProps) {
  const choices = apps.map((app) => [app.appId, nameOfApp(app, apps)] as const);
  const isThere = choices.some(([id]) => id === given.appId);
  return (
    <div class="tiles">
      {(apps.length > 1 || !isThere) && (
        <SelectField
          label="App"
          value={given.appId}
          options={isThere ? choices : [[given.appId, `${given.appId} (not found)`], ...choices]}
          onInput={(app) => keep({ app })}
        />
      )}
      {service === "management" && (
        <SelectField
          label="Webhook engine"
          value={given.engine}
          options={[["", "current (version 2)"], "legacy"]}
          onInput={(engine) => keep({ engine })}
        />
      )}
      {(service === "chat" || service === "call") && (
        <SelectField
          label="API key"
          value={given.scope}
          options={[["", "fullAccess"], "authOnly"]}
          onInput={(key) => keep({ key })}
        />
      )}
      {onBehalfOf !== "unsupported" && (
        <TextField
          label={onBehalfOf === "required" ? "onBehalfOf *" : "onBehalfOf"}
          placeholder="uid"
          value={given.onBehalfOf}
          onInput={(as) => keep({ as })}
        />
      )}
    </div>
  );
}

function Part({
  title,
  fields,
  value,
  onChange,
}: {
  readonly title: string;
  readonly fields: Fields;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
}) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <JsonForm value={value} type={fields} onChange={(next) => onChange(isGroup(next) ? next : {})} />
    </section>
  );
}

function Body({
  operation,
  form: { given, value, mistake, setBody },
}: Pick<FormProps, "form" | "operation">) {
  const [isForm, setForm] = useState(true);
  return (
    <section aria-label="Body">
      <div class="row is-apart">
        <h3>Body</h3>
        <FormSwitch isForm={isForm} onChange={setForm} />
      </div>
      {isForm && mistake === undefined ? (
        <JsonForm value={value} type={operation.body} onChange={(next) => setBody(write(next))} />
      ) : (
        <TextArea
          label="JSON"
          isCode
          rows={14}
          value={given.body}
          onInput={setBody}
          error={mistake && wordsOfMistake(mistake)}
        />
      )}
    </section>
  );
}

function Copies({ operation, form: { given } }: FormProps) {
  const platformUrl = useFacts()?.addresses.platform ?? "";
  const code = toCode(operation, given);
  const curl = toCurl(operation, given, platformUrl);
  const { appId, scope } = given;
  return (
    <>
      {code !== undefined && <JsonView value={code} label="Client code" />}
      <JsonView value={curl} label="curl" />
      <p class="buttons">
        {[...new Set(curl.match(/(?<=\$)(API_KEY|MANAGEMENT_KEY|MANAGEMENT_SECRET)(?=")/g))].map((name) => (
          <CopyButton key={name} text={() => reveal({ name, appId, scope })}>
            Copy ${name}
          </CopyButton>
        ))}
      </p>
    </>
  );
}

/** Keys and tokens are masked; their values go to the clipboard only. */
export async function reveal(body: object): Promise<string> {
  return (await ask<{ value: string }>("/api/reveal", { method: "POST", body })).value;
}
