import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDocstrings, root } from "./read-examples.ts";

// npx node test/contract/family-examples/write-docstrings.ts: puts the examples that are run into the families' docstrings;
// npm run client-types afterwards takes them over into the client's types.
for (const { path, is, wanted } of readDocstrings()) {
  const file = join(root, path);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(is, () => wanted),
  );
}
