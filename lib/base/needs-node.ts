import { checkNode } from "./check-node.ts";

// Imported first by entry points that need a newer Node, so that its error is the one shown.
checkNode("An entry point (/platform, /testing or /flows)");
