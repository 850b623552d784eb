import type { ComponentChildren } from "preact";
import type { Topic } from "../../../api/notices.ts";
import { type Method, send } from "../../parts/ask.ts";
import { notifyDone, notifyFailed } from "../../parts/button.tsx";
import { Select } from "../../parts/field.tsx";
import { parseRoute, toHash } from "../../parts/route.ts";
import { Trouble } from "../../parts/texts.tsx";
import { type Resource, useResource } from "../../parts/use-resource.ts";

interface PartProps {
  readonly title: string;
  readonly description?: ComponentChildren;
  readonly acts?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children: ComponentChildren;
}

export function Part({ title, description, acts, error, children }: PartProps) {
  return (
    <>
      <header class="row is-apart">
        <div>
          <h2>{title}</h2>
          {description !== undefined && <p class="soft">{description}</p>}
        </div>
        <div class="buttons">{acts}</div>
      </header>
      <Trouble error={error} />
      {children}
    </>
  );
}

export function Card({
  title,
  description,
  children,
}: Pick<PartProps, "title" | "description" | "children">) {
  return (
    <section class="card" aria-label={title}>
      <h3>{title}</h3>
      {description !== undefined && <p class="soft">{description}</p>}
      {children}
    </section>
  );
}

interface LineProps {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly description: ComponentChildren;
  readonly more: ComponentChildren;
  readonly value: unknown;
  readonly allowed?: readonly (string | number)[] | undefined;
  readonly set: (value: unknown) => void;
}

/** A setting of `<ul class="lines">`: a flag, a number, a choice, or a list of texts. */
export function Line({ title, description, more, ...input }: LineProps) {
  return (
    <li>
      <div>
        <p>{title}</p>
        <p class="soft">{description}</p>
        <p class="small soft">{more}</p>
      </div>
      <LineInput {...input} />
    </li>
  );
}

function LineInput({ name, value, allowed, set }: Omit<LineProps, "title" | "description" | "more">) {
  if (allowed !== undefined) {
    const choose = (text: string) => set(allowed.find((one) => String(one) === text));
    return <Select label={name} value={String(value)} options={allowed.map(String)} onInput={choose} />;
  }
  if (typeof value === "boolean") {
    return (
      <input
        type="checkbox"
        class="pick"
        aria-label={name}
        checked={value}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    );
  }
  const isNumber = typeof value === "number";
  return (
    <input
      {...(isNumber ? ({ type: "number" } as const) : ({ type: "text" } as const))}
      aria-label={name}
      placeholder={isNumber ? undefined : "separated by commas"}
      value={String(value)}
      onChange={({ currentTarget: { value: typed } }) =>
        set(isNumber ? Number(typed) : typed.split(/\s*,\s*/).filter(Boolean))
      }
    />
  );
}

export interface PartResource<Answer> extends Resource<Answer> {
  /** Calls the server below the part's path, and reloads the part. */
  change(method: Method, where: string, body?: object, done?: string): Promise<void>;
  /** Same for an input, which shows no error itself. */
  set(method: Method, where: string, body: object): void;
}

/** @param path undefined: loads nothing */
export function usePart<Answer>(path: string | undefined, ...topics: readonly Topic[]): PartResource<Answer> {
  const resource = useResource<Answer>(path, ["stack", ...topics]);
  const change: PartResource<Answer>["change"] = async (method, where, body, done) => {
    try {
      await send(method, `${path}${where}`, body);
    } finally {
      resource.reload();
    }
    if (done !== undefined) notifyDone(done);
  };
  return { ...resource, change, set: (...asked) => void change(...asked).catch(notifyFailed) };
}

export function toExplorer(operation: string): string {
  return toHash("api", [operation], { app: parseRoute(location.hash).query.get("app") ?? undefined });
}
