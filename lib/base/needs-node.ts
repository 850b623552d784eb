import { checkNode } from "./check-node.ts";

// Imported first, so that its error is the one shown.
checkNode("An entry point (/platform, /testing or /flows)");
