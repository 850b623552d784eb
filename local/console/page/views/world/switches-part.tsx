import { ask } from "../../parts/ask.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { notifyDone, notifyFailed } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { WithCode } from "./with-code.tsx";

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

const path = "/api/platform/switches";
const groups = [
  [
    "assumed",
    "Assumed",
    "No page documents this behaviour. Change it to test your app against the alternative.",
  ],
  ["live", "Seen live", "Seen on the real platform, sometimes contrary to its documentation."],
  ["documented", "Documented", "Stated by a page of the platform."],
] as const;

export function SwitchesPart() {
  const { value, error, reload } = useResource<Answer>(path, ["world"]);
  const facts = Object.entries(value?.facts ?? {});
  const set = async (name: string, wanted: Value) => {
    try {
      await ask(path, { method: "PATCH", body: { [name]: wanted } });
    } catch (failure) {
      notifyFailed(failure);
    }
    reload();
  };
  const changed = facts.filter(([name, { initial }]) => value?.values[name] !== initial).length;
  const reset = async () => {
    await ask(path, { method: "DELETE" });
    reload();
    notifyDone("All switches are reset.");
  };
  return (
    <>
      <PartHead
        title="Switches"
        says="How the emulated platform behaves where the documentation leaves it open."
      >
        <Button act={reset} isDisabled={changed === 0}>
          {changed === 0 ? "Reset all" : `Reset ${changed}`}
        </Button>
      </PartHead>
      <PartTrouble error={error} />
      <div class="stack">
        {groups.map(([level, title, says]) => (
          <Card key={level} title={title} says={says}>
            <ul class="lines">
              {facts
                .filter(([, fact]) => fact.level === level)
                .map(([name, fact]) => (
                  <Switch key={name} name={name} fact={fact} value={value?.values[name]} set={set} />
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}

const tones: Readonly<Record<string, Tone>> = { assumed: "waiting", live: "good", documented: "good" };

function Switch({
  name,
  fact,
  value,
  set,
}: {
  name: string;
  fact: SwitchFact;
  value: Value | undefined;
  set: (name: string, wanted: Value) => Promise<void>;
}) {
  const isChanged = value !== fact.initial;
  return (
    <li>
      <div>
        <p>
          <code>{name}</code> <Badge tone={tones[fact.level] ?? "plain"}>{fact.level}</Badge>{" "}
          {isChanged && <Badge>default {String(fact.initial)}</Badge>}
        </p>
        <p>
          <WithCode text={fact.says} />
        </p>
        <p class="soft small">{fact.source}</p>
      </div>
      <SwitchInput name={name} fact={fact} value={value} set={set} />
    </li>
  );
}

function SwitchInput({ name, fact: { initial, allowed }, value, set }: Parameters<typeof Switch>[0]) {
  if (allowed !== undefined) {
    return (
      <select
        aria-label={name}
        value={String(value)}
        onChange={({ currentTarget }) => {
          const wanted = allowed.find((one) => String(one) === currentTarget.value);
          if (wanted !== undefined) void set(name, wanted);
        }}
      >
        {allowed.map((one) => (
          <option key={one} value={String(one)}>
            {one}
          </option>
        ))}
      </select>
    );
  }
  if (typeof initial === "boolean") {
    return (
      <input
        type="checkbox"
        class="pick"
        aria-label={name}
        checked={value === true}
        onChange={({ currentTarget }) => void set(name, currentTarget.checked)}
      />
    );
  }
  return (
    <input
      type="number"
      aria-label={name}
      min="0"
      value={String(value)}
      onChange={({ currentTarget }) => void set(name, currentTarget.valueAsNumber)}
    />
  );
}
