import type { ComponentChildren } from "preact";
import { AskError, messageOf } from "../../parts/ask.ts";

export function Trouble({ error, children }: { error: unknown; children?: ComponentChildren }) {
  if (error === undefined) return null;
  const { code, details } = error instanceof AskError ? error : { code: undefined, details: {} };
  return (
    <div class="trouble" role="alert">
      <p>
        {code !== undefined && <code>{code}</code>} {messageOf(error)}
      </p>
      {Object.entries(details).map(([field, text]) => (
        <p key={field}>{text}</p>
      ))}
      {children}
    </div>
  );
}
