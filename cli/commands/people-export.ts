import { hideSecrets } from "../../lib/base/known-secrets.ts";
import { collect } from "../../lib/operate/personal-data/personal-store.ts";
import { defineCommand, text } from "../command.ts";
import {
  consoleName,
  listUnreachable,
  openPerson,
  personArgument,
  personOption,
} from "../people/open-person.ts";
import { tryNewFile, writeNewFile } from "../write-new-file.ts";

export const command = defineCommand({
  description:
    "Searches the platform, the tables, the dead letters, the quarantine and the flows, and prints one JSON document. Names what cannot be reached. Changes nothing; hides the messages of two queues for a moment.",
  examples: `
    $ people export alice --stage prod --app shop --to alice.json
        write a file that only you can read
    $ people export alice --local
        print the document
  `,
  arguments: personArgument,
  options: { ...personOption, to: text("<file>", "write the document to a new file with mode 0600") },
  run: async (context) => {
    const { options, edges, out, record } = context;
    const { to: file } = options;
    const { app, uid, own, platform, retention } = await openPerson(context);
    if (file !== undefined) await tryNewFile(file);
    await record();
    const findings = await collect([...platform, ...own], (name) => out.progress(`searching ${name}`));
    const stores = [...findings].map(([store, found]) => ({
      store,
      count: found.length,
      items: found.map(({ erase: _, ...item }) => item),
    }));
    const at = new Date(edges.now()).toISOString();
    const result = { app, uid, at, stores, unreachable: listUnreachable(findings, edges.now(), retention) };
    if (file === undefined) return result;
    await writeNewFile(file, `${hideSecrets(JSON.stringify(result, null, 2))}\n`);
    return { ...result, file, stores: stores.map(({ store, count }) => ({ store, count })) };
  },
  print: (result, out) => {
    out.line("file" in result ? `written to ${result.file}` : JSON.stringify(result, null, 2));
  },
  // The console also keeps the operator's own look-ups.
  exitCode: ({ stores }) =>
    stores.every(({ store, count }) => count === 0 || store === consoleName) ? "notThere" : "done",
});
