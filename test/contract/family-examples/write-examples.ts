import { writeFileSync } from "node:fs";
import { examplesModule } from "./read-examples.ts";

// npx node test/contract/family-examples/write-examples.ts: writes the examples of the families' docstrings as functions.
writeFileSync(new URL("examples.ts", import.meta.url), examplesModule());
