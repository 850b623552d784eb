import { useState } from "preact/hooks";
import type { ShownSecret, ShownVersion } from "../../../api/world-secrets.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextField } from "../../parts/field.tsx";
import { Time } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";

const path = "/api/world/secrets";

export function SecretsPart() {
  const { value, error, reload } = useResource<readonly ShownSecret[]>(path, ["world"]);
  return (
    <>
      <PartHead
        title="Secrets"
        says="The functions' secrets in Secrets Manager. Only the last four characters of long values are shown. A change creates a new version."
      />
      <PartTrouble error={error} />
      {value?.length === 0 && <Empty title="No secrets">They are created when the local stack starts.</Empty>}
      <div class="stack">
        {value?.map((secret) => (
          <SecretCard key={secret.name} secret={secret} onChanged={reload} />
        ))}
      </div>
    </>
  );
}

function SecretCard({ secret, onChanged }: { readonly secret: ShownSecret; readonly onChanged: () => void }) {
  const { name, description, isDeleted, versions } = secret;
  const [edited, setEdited] = useState<string>();
  const current = versions.find(({ stages }) => stages.includes("AWSCURRENT"));
  const others = versions.filter((version) => version !== current);
  return (
    <Card title={name} says={description}>
      {isDeleted && <Badge tone="bad">marked for deletion</Badge>}
      {current !== undefined && <Fields version={current} onEdit={isDeleted ? undefined : setEdited} />}
      {current?.fields !== undefined && !isDeleted && (
        <p class="buttons">
          <Button act={() => setEdited("")} label={`Add a field to ${name}`}>
            Add a field
          </Button>
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} earlier {others.length === 1 ? "version" : "versions"}
          </summary>
          {others.map((version) => (
            <section key={version.id} aria-label={`Version ${version.id}`}>
              <p class="buttons">
                {version.stages.map((stage) => (
                  <Badge key={stage}>{stage}</Badge>
                ))}
                {version.stages.length === 0 && <Badge tone="quiet">no stage</Badge>}
                <Time ms={version.createdAtMs} withDate />
              </p>
              <Fields version={version} />
            </section>
          ))}
        </details>
      )}
      {edited !== undefined && (
        <FieldDialog
          secret={name}
          field={edited}
          onClose={() => setEdited(undefined)}
          onChanged={onChanged}
        />
      )}
    </Card>
  );
}

function Fields({
  version: { fields, masked },
  onEdit,
}: {
  readonly version: ShownVersion;
  readonly onEdit?: ((field: string) => void) | undefined;
}) {
  if (fields === undefined) return <code>{masked}</code>;
  return (
    <ul class="lines">
      {fields.map(({ name, masked: shown }) => (
        <li key={name}>
          <span>
            {name} <code class="soft">{shown}</code>
          </span>
          {onEdit !== undefined && (
            <Button kind="quiet" act={() => onEdit(name)} label={`Change ${name}`}>
              Change
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function FieldDialog({
  secret,
  field,
  onClose,
  onChanged,
}: {
  readonly secret: string;
  readonly field: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const [name, setName] = useState(field);
  const [value, setValue] = useState("");
  const save = async () => {
    await ask(path, { method: "PUT", body: { secret, field: name, value } });
    notifyDone(`${name} has a new value.`);
    onClose();
    onChanged();
  };
  return (
    <Dialog title={field === "" ? `A field for ${secret}` : `${field} of ${secret}`} onClose={onClose}>
      {field === "" && <TextField label="Field" value={name} onInput={setName} />}
      <TextField
        type="password"
        label="New value"
        value={value}
        onInput={setValue}
        hint="The functions read it when their copy is a few minutes old, or when a request fails with it."
      />
      <div class="buttons">
        <Button kind="main" act={save} isDisabled={name === "" || value === ""}>
          Save
        </Button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
