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
  approved: "No rule matches. It would be approved.",
  blocked: "It would be blocked.",
  dropped: "It would be dropped and not stored.",
  "not judged": "No rule for texts is on. It would not be moderated.",
} as const;

export function TryText({ appId }: { appId: string }) {
  const [tried, setTried] = useState<TriedText>();
  return (
    <Card title="Try a text" says="Nothing is stored, no event fires, and no service is called.">
      <Form
        label="Try a text"
        fields={fields}
        submitLabel="Check"
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
            {tried.passedOver.length > 0 && <p>Excluded by filters: {tried.passedOver.join(", ")}.</p>}
            {tried.wouldAsk.length > 0 && <p>Services called first: {tried.wouldAsk.join(", ")}.</p>}
          </>
        )}
      </div>
    </Card>
  );
}
