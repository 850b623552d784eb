import type { ComponentChildren } from "preact";
import type { ExplorerOperation, Fields } from "../../../api/explorer.ts";
import type { WorldFacts } from "../../../api/world.ts";
import { send } from "../../parts/ask.ts";
import { CopyButton } from "../../parts/button.tsx";
import { appOptions, useFacts } from "../../parts/facts.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { JsonForm } from "../../parts/json/json-form.tsx";
import { JsonInput } from "../../parts/json/json-input.tsx";
import { JsonView } from "../../parts/json/json-view.tsx";
import { isGroup } from "../../parts/json/values.ts";
import { toHash } from "../../parts/route.ts";
import { Badge } from "../../parts/texts.tsx";
import { keyOfName, pathNames, takesBody, toCode, toCurl } from "./request.ts";
import type { Form } from "./use-given.ts";

interface FormProps {
  readonly operation: ExplorerOperation;
  readonly apps: WorldFacts["apps"];
  readonly form: Form;
}

export function OperationForm({ children, ...props }: FormProps & { readonly children: ComponentChildren }) {
  const { operation, form } = props;
  const { given, kept, keep, setQuery, setBody } = form;
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
        value={Object.fromEntries([...keys].map(([name, key]) => [name, kept[key] ?? ""]))}
        onChange={(value) =>
          keep(Object.fromEntries([...keys].map(([name, key]) => [key, String(value[name])])))
        }
      />
      <Part title="Query" fields={operation.query} value={given.query} onChange={setQuery} />
      {takesBody(operation) && (
        <section class="stack" aria-label="Body">
          <h3>Body</h3>
          <JsonInput
            label="JSON"
            text={given.body}
            type={operation.body}
            onText={(text) => setBody(text, true)}
          />
        </section>
      )}
      <div class="buttons">{children}</div>
      <Copies {...props} />
    </>
  );
}

const engines = [["", "current (version 2)"], "legacy"] as const;
const scopes = [["", "fullAccess"], "authOnly"] as const;

/** The app, and who asks it. */
function Caller({ operation: { service, onBehalfOf }, apps, form: { given, keep } }: FormProps) {
  const options = appOptions(apps, given.appId);
  const isOfApp = service === "chat" || service === "call";
  return (
    <div class="tiles">
      {options.length > 1 && (
        <SelectField label="App" value={given.appId} options={options} onInput={(app) => keep({ app })} />
      )}
      {service === "management" && (
        <SelectField
          label="Webhook engine"
          value={given.engine}
          options={engines}
          onInput={(engine) => keep({ engine })}
        />
      )}
      {isOfApp && (
        <SelectField label="API key" value={given.scope} options={scopes} onInput={(key) => keep({ key })} />
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

interface PartProps {
  readonly title: string;
  readonly fields: Fields;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
}

function Part({ title, fields, value, onChange }: PartProps) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <JsonForm value={value} type={fields} onChange={(next) => onChange(isGroup(next) ? next : {})} />
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
      {code && <JsonView value={code} label="Client code" />}
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
  return (await send<{ value: string }>("POST", "/api/reveal", body)).value;
}
