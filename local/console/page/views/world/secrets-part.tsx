import { useState } from "preact/hooks";
import type { ShownSecret, ShownVersion } from "../../../api/world-secrets.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, Form } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Badge, Empty } from "../../parts/texts.tsx";
import { Time } from "../../parts/time.tsx";
import { Card, Part, type PartResource, usePart } from "./part.tsx";

type Secrets = PartResource<readonly ShownSecret[]>;

export function SecretsPart() {
  const part: Secrets = usePart("/api/world/secrets");
  return (
    <Part
      title="Secrets"
      says="The functions' secrets in Secrets Manager. Only the last four characters of long values are shown. A change creates a new version."
      error={part.error}
    >
      {part.value?.length === 0 && (
        <Empty title="No secrets">They are created when the local stack starts.</Empty>
      )}
      {part.value?.map((secret) => (
        <SecretCard key={secret.name} secret={secret} part={part} />
      ))}
    </Part>
  );
}

function SecretCard({ secret, part }: { readonly secret: ShownSecret; readonly part: Secrets }) {
  const { name, description, isDeleted, versions } = secret;
  const [edited, setEdited] = useState<string>();
  return (
    <Card title={name} says={description}>
      {isDeleted && <Badge tone="bad">marked for deletion</Badge>}
      {versions.map((version) => {
        const { id, stages, createdAtMs } = version;
        const isCurrent = stages.includes("AWSCURRENT");
        return (
          <details key={id} open={isCurrent}>
            <summary>
              {stages.join(", ") || "no stage"} <Time ms={createdAtMs} format="moment" />
            </summary>
            <Fields version={version} onEdit={isCurrent && !isDeleted ? setEdited : undefined} />
          </details>
        );
      })}
      {edited !== undefined && (
        <FieldDialog secret={name} field={edited} part={part} onClose={() => setEdited(undefined)} />
      )}
    </Card>
  );
}

interface FieldsProps {
  readonly version: ShownVersion;
  readonly onEdit: ((field: string) => void) | undefined;
}

function Fields({ version: { fields, masked }, onEdit }: FieldsProps) {
  if (fields === undefined) return <code>{masked}</code>;
  return (
    <ul class="lines">
      {fields.map(({ name, masked: shown }) => (
        <li key={name}>
          <span>
            {name} <code class="soft">{shown}</code>
          </span>
          {onEdit && (
            <Button kind="quiet" act={() => onEdit(name)} label={`Change ${name}`}>
              Change
            </Button>
          )}
        </li>
      ))}
      {onEdit && (
        <li>
          <span>
            <Button act={() => onEdit("")}>Add a field</Button>
          </span>
        </li>
      )}
    </ul>
  );
}

interface FieldDialogProps {
  readonly secret: string;
  /** Empty for a new one. */
  readonly field: string;
  readonly part: Secrets;
  readonly onClose: () => void;
}

function FieldDialog({ secret, field, part, onClose }: FieldDialogProps) {
  return (
    <Dialog title={field === "" ? `A field for ${secret}` : `${field} of ${secret}`} onClose={onClose}>
      <Form
        label="Save"
        act={async (get) => {
          const name = field || get("field");
          const body = { secret, field: name, value: get("value") };
          await part.change("PUT", "", body, `${name} has a new value.`);
          onClose();
        }}
      >
        {field === "" && <TextField label="Field" name="field" isRequired />}
        <TextField
          type="password"
          label="New value"
          name="value"
          isRequired
          hint="The functions read it when their copy is a few minutes old, or when a request fails with it."
        />
      </Form>
    </Dialog>
  );
}
