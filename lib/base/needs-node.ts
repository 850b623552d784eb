import { checkNode } from "./check-node.ts";

// Entry points that need a newer Node import this module first, so that its error is the one shown.
checkNode("An entry point (/platform, /testing or /flows)");
