import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/field.tsx";
import { Badge, type Tone, WithCode } from "../../parts/texts.tsx";
import { Card, Line, Part, usePart } from "./part.tsx";

type Value = string | number | boolean;

interface SwitchFact {
  readonly initial: Value;
  readonly allowed?: readonly (string | number)[];
  readonly level: string;
  readonly source: string;
  readonly says: string;
}

interface Answer {
  readonly values: Readonly<Record<string, Value>>;
  readonly facts: Readonly<Record<string, SwitchFact>>;
}

const groups: readonly (readonly [level: string, title: string, tone: Tone, says: string])[] = [
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
      says="How the emulated platform behaves where the documentation leaves it open."
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
      {groups.map(([level, title, tone, says]) => (
        <Card key={level} title={title} says={says}>
          <ul class="lines">
            {Object.entries(facts)
              .filter(([, fact]) => fact.level === level)
              .map(([name, fact]) => (
                <Switch
                  key={name}
                  {...{ name, fact, tone }}
                  value={values[name]}
                  set={(wanted) => part.set("PATCH", "", { [name]: wanted })}
                />
              ))}
          </ul>
        </Card>
      ))}
    </Part>
  );
}

interface SwitchProps {
  readonly name: string;
  readonly fact: SwitchFact;
  readonly tone: Tone;
  readonly value: Value | undefined;
  readonly set: (wanted: Value) => void;
}

function Switch(props: SwitchProps) {
  const { name, fact, tone, value } = props;
  const title = (
    <>
      <code>{name}</code> <Badge tone={tone}>{fact.level}</Badge>{" "}
      {value !== fact.initial && <Badge>default {String(fact.initial)}</Badge>}
    </>
  );
  return (
    <Line title={title} says={<WithCode text={fact.says} />} more={fact.source}>
      <SwitchInput {...props} />
    </Line>
  );
}

function SwitchInput({ name, fact: { initial, allowed }, value, set }: SwitchProps) {
  if (allowed !== undefined) {
    return (
      <Select
        label={name}
        value={String(value)}
        options={allowed.map(String)}
        onInput={(text) => set(allowed.find((one) => String(one) === text) ?? text)}
      />
    );
  }
  return typeof initial === "boolean" ? (
    <input
      type="checkbox"
      class="pick"
      aria-label={name}
      checked={value === true}
      onChange={({ currentTarget }) => set(currentTarget.checked)}
    />
  ) : (
    <input
      type="number"
      aria-label={name}
      min="0"
      value={String(value)}
      onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)}
    />
  );
}
