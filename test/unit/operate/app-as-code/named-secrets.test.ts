import fc from "fast-check";
import { expect, it } from "vitest";
import { nameSecrets, secretNameAt } from "../../../../lib/operate/app-as-code/name-secrets.ts";
import {
  findSecrets,
  isSecretReference,
  partAt,
  replaceParts,
} from "../../../../lib/operate/app-as-code/secret-reference.ts";
import { agentsSubject } from "../../../../lib/operate/app-as-code/subjects/agents.ts";
import { botsSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import { testFacts } from "../../../helpers/app-apis.ts";
import { runs } from "../../../helpers/property-runs.ts";

const values = ["Bearer one-4711", "Bearer two-4711", "agent-key-4711", "hook-pass-4711", "replaced-4711"];
const masked = "********";
const system = {
  apiKey: "key-4711-key",
  agentKey: values[2],
  webhookPassword: values[3],
  replacedApiKey: values[4],
  region: "us",
  rotating: "two-4711",
};
const [kinds, ids] = [["apiTools", "ownAgents", "bots"] as const, ["Echo", "headers", "stock", "parameters"]];
const hosts = ["https://a.example/x", "https://b.example/x"];
const idFieldOf = { apiTools: "slug", ownAgents: "name", bots: "uid" };
const prefixOf = { apiTools: "tool", ownAgents: "own-agent", bots: "bot" };

const place = fc.record({ kind: fc.constantFrom(...kinds), id: fc.constantFrom(...ids) });
const ownNames = kinds.flatMap((kind) =>
  ids.flatMap((id) =>
    (kind === "bots" ? ["password"] : ["key", "Authorization"]).map((end) => namesAt(kind, id, end)),
  ),
);
function namesAt(kind: (typeof kinds)[number], id: string, end: string): readonly string[] {
  const path = [prefixOf[kind], id, ...(kind === "bots" ? [] : ["headers"]), end];
  return [path, ...["2", "3", "4"].map((count) => [...path, count])].map(secretNameAt);
}
const fieldName = fc.constantFrom(
  "shopKey",
  ...Object.keys(system),
  ...ownNames.flatMap((names) => names.slice(0, 2)),
);
const secretText = fc.constantFrom(...values, masked);
const reference = fieldName.filter((name) => name !== "apiKey").map((secret) => ({ secret }));

const itemsOf = (secret: fc.Arbitrary<unknown>) =>
  fc.uniqueArray(fc.tuple(place, fc.constantFrom(...hosts), secret, secret), {
    selector: ([{ kind, id }]) => `${kind} ${id}`,
    maxLength: 6,
  });

function contentOf(
  items: readonly (readonly [{ kind: (typeof kinds)[number]; id: string }, string, unknown, unknown])[],
) {
  const made = items.map(([{ kind, id }, url, one, other]) => {
    const item = { [idFieldOf[kind]]: id };
    const headers = { Authorization: one, key: other };
    if (kind === "apiTools") return [kind, { ...item, endpoint: url, headers }] as const;
    if (kind === "ownAgents") return [kind, { ...item, baseUrl: url, headers }] as const;
    return [kind, { ...item, url, credentials: { username: "me", password: one } }] as const;
  });
  const listOf = (list: string) => made.flatMap(([kind, item]) => (kind === list ? [item] : []));
  return {
    agents: { apiTools: listOf("apiTools"), ownAgents: listOf("ownAgents") },
    bots: { bots: listOf("bots") },
  };
}

/** Keys look like `apiTools stock headers.Authorization`. */
function referencesByPlace(content: unknown) {
  const found = new Map<string, { name: string; host: unknown; path: readonly PropertyKey[] }>();
  replaceParts(content, (part, path) => {
    if (!isSecretReference(part)) return part;
    const [list, , ...rest] = path.slice(1);
    const item = partAt(content, path.slice(0, 3));
    const id = partAt(item, [Reflect.get(idFieldOf, String(list))]);
    const host = ["endpoint", "baseUrl", "url"]
      .map((name) => partAt(item, [name]))
      .find((one) => one !== undefined);
    found.set(`${String(list)} ${id} ${rest.join(".")}`, { name: part.secret, host, path });
    return undefined;
  });
  return found;
}

it("refers to a field of this place only, with the platform's value or without a value", () => {
  fc.assert(
    fc.property(
      itemsOf(secretText),
      itemsOf(fc.oneof(reference, fc.constant("Bearer literal"))),
      fc.dictionary(fieldName, fc.constantFrom(...values, masked)),
      (platform, before, own) => {
        const secret: Record<string, unknown> = { ...own, ...system };
        const shown = contentOf(platform);
        const declared = contentOf(before);
        const files = [agentsSubject, botsSubject].map((subject) => ({
          subject,
          content: Object(shown)[subject.name],
          declared: Object(declared)[subject.name],
        }));

        const named = nameSecrets(files, { ...testFacts, ...findSecrets(secret) });
        const contents = { agents: named.contents[0], bots: named.contents[1] };

        expect(JSON.stringify(contents)).not.toMatch(/4711|\*\*\*/);
        const [now, then] = [referencesByPlace(contents), referencesByPlace(declared)];
        for (const [where, { name, host, path }] of now) {
          const text = partAt(shown, path);
          const [held, was] = [secret[name], then.get(where)];
          const isKept = was?.name === name;
          const isAlone = [...now].every(
            ([other, one]) => one.name !== name || (one.host === host && then.get(other)?.name === name),
          );
          const isRight = text === masked ? isKept && was.host === host : held === text;
          expect({ where, isRight: isRight || held === undefined }).toEqual({ where, isRight: true });
          expect({ where, isNamed: isKept || namesOf(where).includes(name) }).toEqual({
            where,
            isNamed: true,
          });
          expect(Object.keys(system)).not.toContain(name);
          const sharing = [...now].filter(([other, one]) => other !== where && one.name === name);
          expect({ where, isAlone: sharing.length === 0 || isAlone }).toEqual({ where, isAlone: true });
        }
      },
    ),
    runs(300),
  );
});

function namesOf(where: string): readonly string[] {
  const [list, id = "", end = ""] = where.split(" ");
  const kind = kinds.find((one) => one === list) ?? "bots";
  return namesAt(kind, id, end.split(".").at(-1) ?? "");
}
