import { useState } from "preact/hooks";
import type { TriedText } from "../../../../api/world-moderation.ts";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Form } from "../../../parts/form.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { Card } from "../part-head.tsx";

const fields: readonly FormField[] = [
  { name: "text", label: "Text", kind: "long", isRequired: true },
  { name: "sender", label: "From", isRequired: true, placeholder: "UID" },
  { name: "receiver", label: "To", isRequired: true, placeholder: "UID or GUID" },
  { name: "receiverType", label: "Which is a", kind: "choice", options: ["user", "group"] },
];

const says = {
  approved: "No rule objects: it would be approved.",
  blocked: "It would be blocked.",
  dropped: "It would be dropped: nothing of it would be kept.",
  "not judged": "No rule that is on looks at texts: it would pass without a word.",
} as const;

export function TryText({ appId }: { appId: string }) {
  const [tried, setTried] = useState<TriedText>();
  return (
    <Card title="Try a text" says="Nothing is written, no event fires, no service is asked.">
      <Form
        label="Try a text"
        fields={fields}
        submitLabel="Judge it"
        submit={async (body) => {
          setTried(await ask<TriedText>(`/api/world/moderation/${appId}/try`, { method: "POST", body }));
        }}
        keepsValues={true}
      />
      <div role="status">
        {tried !== undefined && (
          <>
            <p>
              <Badge tone={tried.outcome === "blocked" || tried.outcome === "dropped" ? "bad" : "good"}>
                {tried.outcome}
              </Badge>{" "}
              {says[tried.outcome]}
            </p>
            {tried.rule !== undefined && (
              <p>
                By <bdi>{tried.rule.name}</bdi> (<code>{tried.rule.id}</code>). {tried.rule.message}
              </p>
            )}
            {tried.passedOver.length > 0 && <p>Filters keep away: {tried.passedOver.join(", ")}.</p>}
            {tried.wouldAsk.length > 0 && <p>Would be asked first: {tried.wouldAsk.join(", ")}.</p>}
          </>
        )}
      </div>
    </Card>
  );
}
