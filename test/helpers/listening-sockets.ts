import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ListeningSocket {
  /** As the kernel writes it: `0100007F` is 127.0.0.1. */
  readonly address: string;
  readonly port: number;
}

/** Lists where a process and its descendants listen for TCP, as Linux tells it. */
export function listeningSockets(pid: number): ListeningSocket[] {
  const inodes = new Set(familyOf(pid).flatMap(socketInodes));
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8")
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
        const [address = "", port = ""] = local.split(":");
        const isListening = state === "0A";
        return isListening && inodes.has(inode) ? [{ address, port: Number.parseInt(port, 16) }] : [];
      }),
  );
}

function familyOf(pid: number): number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
    return parent === undefined ? [] : [[Number(name), parent] as const];
  });
  const descendants = (one: number): number[] => [
    one,
    ...parents.filter(([, parent]) => parent === one).flatMap(([child]) => descendants(child)),
  ];
  return descendants(pid);
}

function parentOf(name: string) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined; // it has ended
  }
}

function socketInodes(pid: number): string[] {
  return fdsOf(pid).flatMap((fd) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${fd}`)) ?? [];
    return inode === undefined ? [] : [inode];
  });
}

function fdsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return []; // it has ended
  }
}

function targetOf(link: string) {
  try {
    return readlinkSync(link);
  } catch {
    return ""; // closed meanwhile, which says nothing of the others
  }
}
