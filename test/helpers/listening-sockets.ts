import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ListeningSocket {
  /** As the kernel writes it: `0100007F` is 127.0.0.1. */
  readonly address: string;
  readonly port: number;
}

/** Lists the TCP addresses on which a process listens, from Linux. */
export function listeningSockets(pid: number): ListeningSocket[] {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8")
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
        const [address = "", port = ""] = local.split(":");
        const isListening = state === "0A" && targets.includes(`socket:[${inode}]`);
        return isListening ? [{ address, port: Number.parseInt(port, 16) }] : [];
      }),
  );
}

function targetOf(link: string) {
  try {
    return readlinkSync(link);
  } catch {
    return ""; // closed meanwhile, which does not concern the others
  }
}
