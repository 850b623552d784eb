import { useState } from "preact/hooks";
import type { TriedText } from "../../../api/world-moderation.ts";
import { send } from "../../parts/ask.ts";
import { Form, type ValueOf } from "../../parts/dialog.tsx";
import { useAppId } from "../../parts/facts.tsx";
import { SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { Badge } from "../../parts/texts.tsx";
import { Card, Part, toExplorer } from "./part.tsx";

const says = {
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
    setTried(await send<TriedText>("POST", `/api/world/moderation/${appId}/try`, asked));
  };
  return (
    <Part
      title="Moderation"
      says={
        <>
          The <a href={toExplorer("list-rules")}>rules</a> are in the API explorer.
        </>
      }
    >
      <Card title="Try a text" says="Nothing is stored, no event fires, and no service is called.">
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

function Verdict({ outcome, rule, passedOver, wouldAsk }: TriedText) {
  return (
    <>
      <p>
        <Badge tone={outcome === "blocked" || outcome === "dropped" ? "bad" : "good"}>{outcome}</Badge>{" "}
        {says[outcome]}
      </p>
      {rule && (
        <p>
          By <bdi>{rule.name}</bdi> (<code>{rule.id}</code>). {rule.message}
        </p>
      )}
      {passedOver.length > 0 && <p>Excluded by filters: {passedOver.join(", ")}.</p>}
      {wouldAsk.length > 0 && <p>Services called first: {wouldAsk.join(", ")}.</p>}
    </>
  );
}
