import { writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { hideSecrets } from "../../lib/base/known-secrets.ts";
import { collect } from "../../lib/operate/personal-data/personal-store.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { argument, text } from "../options.ts";
import { namePerson, openPerson } from "../people/open-person.ts";
import { listUnreachable, printUnreachable, unreachableSchema } from "../people/unreachable.ts";

const resultSchema = z.strictObject({
  app: z.string(),
  uid: z.string(),
  at: z.iso.datetime(),
  /** Where the document with the items was written. */
  file: z.optional(z.string()),
  stores: z.array(
    z.strictObject({
      store: z.string(),
      count: z.number(),
      /** About how many messages of the queue could not be read. */
      unseen: z.optional(z.number()),
      /** Absent with `--to`. */
      items: z.optional(
        z.array(
          z.strictObject({
            id: z.string(),
            content: z.unknown(),
            /** When it ends by itself, if it cannot be erased. */
            endsAt: z.optional(z.string()),
          }),
        ),
      ),
    }),
  ),
  unreachable: unreachableSchema,
});

type Export = z.infer<typeof resultSchema>;

export const peopleExport = defineCommand({
  name: "people export",
  summary: "export what is stored about a user of an app",
  description:
    "Searches the platform, the tables, the dead letters, the quarantine and the flows, and prints one JSON document. Names what cannot be reached. Changes nothing; hides the messages of two queues for a moment.",
  examples: [
    ["people export alice --stage prod --app shop --to alice.json", "write a file that only you can read"],
    ["people export alice --local", "print the document"],
  ],
  arguments: { uid: argument("the user's uid") },
  options: {
    app: text("<id>", "the app (default: the only one)"),
    to: text("<file>", "write the document to a new file with mode 0600"),
  },
  json: resultSchema,
  run: async (context): Promise<Export> => {
    const { target, args, options, edges, out } = context;
    const { app, uid, own, platform } = await openPerson(
      context,
      await namePerson(context, args.uid, options.app),
    );
    const findings = await collect([...platform, ...own], (name) => out.progress(`searching ${name}`));
    const stores = [...findings].map(([store, { found, unseen = 0 }]) => ({
      ...{ store, count: found.length },
      ...(unseen > 0 && { unseen }),
      items: found.map(({ erase: _, ...item }) => item),
    }));
    const unreachable = listUnreachable(target.kind, findings.values(), edges.now());
    const document: Export = { app, uid, at: new Date(edges.now()).toISOString(), stores, unreachable };
    if (options.to === undefined) return document;
    await writePrivately(options.to, document);
    return { ...document, file: options.to, stores: stores.map(({ items: _, ...counts }) => counts) };
  },
  print: (result, out) => {
    const { uid, app, file, stores, unreachable } = result;
    if (stores.every(({ count }) => count === 0))
      out.note(`Nothing was found about the user ${uid} of the app ${app}.`);
    if (file === undefined) {
      out.line(JSON.stringify(result, null, 2));
      return;
    }
    for (const { store, count } of stores) if (count > 0) out.line(`${store}  ${count}`);
    printUnreachable(unreachable, out);
    out.line(`written to ${file}`);
  },
  exitCode: ({ stores }) => (stores.every(({ count }) => count === 0) ? "notThere" : "done"),
});

/** An existing file may have other rights, or readers. @throws CliError */
async function writePrivately(file: string, document: Export): Promise<void> {
  const json = hideSecrets(JSON.stringify(document, null, 2));
  await writeFile(file, `${json}\n`, { mode: 0o600, flag: "wx" }).catch((error: Error) => {
    throw wrongUse(
      `The file ${file} cannot be written: ${error.message}`,
      "Name a file that does not exist.",
    );
  });
}
