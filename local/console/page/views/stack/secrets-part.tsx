import type { ShownSecret } from "../../../api/stack.ts";
import { DialogButton, Form } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Badge, Empty, Time } from "../../parts/texts.tsx";
import { Card, Part, type PartResource, usePart } from "./part.tsx";

type Secrets = PartResource<readonly ShownSecret[]>;

export function SecretsPart() {
  const part: Secrets = usePart("/api/stack/secrets");
  return (
    <Part
      title="Secrets"
      description="The functions' secrets in Secrets Manager. Only the last four characters of long values are shown. A change creates a new version."
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
  return (
    <Card title={name} description={description}>
      {isDeleted && <Badge tone="bad">marked for deletion</Badge>}
      {versions.map(({ id, stages, createdAtMs, fields, masked }) => {
        const isCurrent = stages.includes("AWSCURRENT");
        const editor = (field: string) =>
          isCurrent && !isDeleted && <EditField secret={name} field={field} part={part} />;
        return (
          // A new version takes the place of the one in use.
          <details key={stages.join(" ") || id} open={isCurrent}>
            <summary>
              {stages.join(", ") || "no stage"} <Time ms={createdAtMs} format="moment" />
            </summary>
            {fields === undefined ? (
              <code>{masked}</code>
            ) : (
              <ul class="lines">
                {fields.map(({ name: field, masked: shown }) => (
                  <li key={field}>
                    <span>
                      {field} <code class="soft">{shown}</code>
                    </span>
                    {editor(field)}
                  </li>
                ))}
              </ul>
            )}
            {fields && editor("")}
          </details>
        );
      })}
    </Card>
  );
}

interface EditFieldProps {
  readonly secret: string;
  /** Empty for a new one. */
  readonly field: string;
  readonly part: Secrets;
}

function EditField({ secret, field, part }: EditFieldProps) {
  return (
    <DialogButton
      label={field === "" ? "Add a field" : "Change"}
      ariaLabel={field === "" ? undefined : `Change ${field}`}
      title={field === "" ? `A field for ${secret}` : `${field} of ${secret}`}
    >
      {(close) => (
        <Form
          label="Save"
          act={async (get) => {
            const name = field || get("field");
            const body = { secret, field: name, value: get("value") };
            await part.change("PUT", "", body, `${name} has a new value.`);
            close();
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
      )}
    </DialogButton>
  );
}
