import { checkNode } from "./check-node.ts";

// Doors that cannot work on an older Node import this module before all else, so that its error is the one that is seen.
checkNode("A door (/platform, /testing or /flows)");
