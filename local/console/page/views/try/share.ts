import { quote } from "../../parts/curl.ts";
import { isGroup } from "../../parts/json/field-types.ts";

export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @throws Error for other input, or if the text is too large for a delivery */
export async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > mostCharacters)
      throw new Error("The body in the address is larger than a delivery can be.");
  }
}

const mostCharacters = 12_000_000;

interface Sample {
  readonly trigger: string;
  readonly sample: string;
  readonly appId: string;
}

/** Writes a command with the changes to the sample; names what it cannot express. */
export function toCommand({ trigger, sample, appId }: Sample, before: unknown, after: unknown): string {
  const changes = changesBetween(before, after).filter(({ path }) => path !== "appId");
  const sets = changes.flatMap(({ path, value }) => {
    if (value === undefined) return [];
    return `--set ${quote(`${path}=${typeof value === "string" ? value : JSON.stringify(value)}`)}`;
  });
  const lost = changes.filter(({ value }) => value === undefined).map(({ path }) => path);
  const start = `npx cometchat-functions trigger ${trigger} --local --app ${quote(appId)} --sample ${sample}`;
  const note = lost.length > 0 ? `\n# The command cannot leave out: ${lost.join(", ")}` : "";
  return [start, ...sets].join(" \\\n  ") + note;
}

interface Change {
  readonly path: string;
  readonly value: unknown;
}

function changesBetween(before: unknown, after: unknown, path = ""): Change[] {
  const isSameList = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (isSameList || (isGroup(before) && isGroup(after))) {
    const old = new Map(Object.entries(before));
    const own = new Map(Object.entries(after));
    return [...new Set([...old.keys(), ...own.keys()])].flatMap((name) =>
      changesBetween(old.get(name), own.get(name), path === "" ? name : `${path}.${name}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, value: after }];
}
