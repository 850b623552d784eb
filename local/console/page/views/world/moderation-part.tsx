import { useState } from "preact/hooks";
import type { TriedText } from "../../../api/world-moderation.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { Card, PartHead } from "./part-head.tsx";
import { toExplorer } from "./to-explorer.ts";
import { useAppId } from "./use-app-id.ts";

const says = {
  approved: "No rule matches. It would be approved.",
  blocked: "It would be blocked.",
  dropped: "It would be dropped and not stored.",
  "not judged": "No rule for texts is on. It would not be moderated.",
} as const;

export function ModerationPart() {
  const appId = useAppId();
  const [asked, setAsked] = useState({ text: "", sender: "", receiver: "", receiverType: "user" });
  const [tried, setTried] = useState<TriedText>();
  const set = (name: keyof typeof asked) => (value: string) => setAsked({ ...asked, [name]: value });
  const check = async () => {
    const path = `/api/world/moderation/${appId}/try`;
    setTried(await ask<TriedText>(path, { method: "POST", body: asked }));
  };
  return (
    <>
      <PartHead
        title="Moderation"
        says={
          <>
            In the API explorer: <a href={toExplorer("list-rules")}>rules</a>,{" "}
            <a href={toExplorer("list-rule-keywords")}>keyword lists</a>,{" "}
            <a href={toExplorer("list-reasons")}>reasons</a>,{" "}
            <a href={toExplorer("list-moderation-blocked-messages")}>blocked</a> and{" "}
            <a href={toExplorer("list-flagged-messages")}>flagged messages</a>,{" "}
            <a href={toExplorer("list-moderation-services")}>custom services</a>.
          </>
        }
      />
      <Card title="Try a text" says="Nothing is stored, no event fires, and no service is called.">
        <div class="fields">
          <TextArea label="Text" rows={4} value={asked.text} onInput={set("text")} />
          <TextField label="From" placeholder="UID" value={asked.sender} onInput={set("sender")} />
          <TextField label="To" placeholder="UID or GUID" value={asked.receiver} onInput={set("receiver")} />
          <SelectField
            label="Which is a"
            options={["user", "group"]}
            value={asked.receiverType}
            onInput={set("receiverType")}
          />
          <div class="buttons">
            <Button kind="main" act={check} isDisabled={appId === undefined}>
              Check
            </Button>
          </div>
        </div>
        <div role="status">{tried !== undefined && <Verdict tried={tried} />}</div>
      </Card>
    </>
  );
}

function Verdict({ tried: { outcome, rule, passedOver, wouldAsk } }: { tried: TriedText }) {
  return (
    <>
      <p>
        <Badge tone={outcome === "blocked" || outcome === "dropped" ? "bad" : "good"}>{outcome}</Badge>{" "}
        {says[outcome]}
      </p>
      {rule !== undefined && (
        <p>
          By <bdi>{rule.name}</bdi> (<code>{rule.id}</code>). {rule.message}
        </p>
      )}
      {passedOver.length > 0 && <p>Excluded by filters: {passedOver.join(", ")}.</p>}
      {wouldAsk.length > 0 && <p>Services called first: {wouldAsk.join(", ")}.</p>}
    </>
  );
}
