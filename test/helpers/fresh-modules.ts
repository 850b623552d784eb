import { afterAll, vi } from "vitest";

// Files that share a process share no state of a module: secrets of one file are not hidden in the next.
afterAll(() => void vi.resetModules());
