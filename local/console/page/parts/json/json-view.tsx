import { CopyButton } from "../button.tsx";
import { write } from "./values.ts";

/** Keeps the page responsive. */
const shownCharacters = 50_000;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : (write(value) ?? "undefined");
  const isCut = text.length > shownCharacters;
  return (
    <figure class="json">
      <figcaption class="row is-apart">
        {label}
        <CopyButton text={text} label={`Copy ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          {isCut
            ? `${text.slice(0, shownCharacters)}
… ${text.length - shownCharacters} more characters`
            : text}
        </pre>
      </section>
    </figure>
  );
}
