import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Lists broken links of a folder of pages, including missing anchors; ignores links to other hosts. */
export function brokenLinks(folder: string): string[] {
  const pages = new Map(
    globSync("**/*.html", { cwd: folder }).map((page) => [
      join(folder, page),
      readFileSync(join(folder, page), "utf8"),
    ]),
  );
  const places = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
  return [...pages].flatMap(([path, html]) =>
    linksOf(html).flatMap((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : resolve(dirname(path), decodeURIComponent(file));
      const found =
        existsSync(target) &&
        (anchor === undefined || anchor === "" || places.get(target)?.has(anchor) !== false);
      return found ? [] : [`${relative(folder, path)}: ${link} leads nowhere.`];
    }),
  );
}

function linksOf(html: string): string[] {
  const links = [...html.matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&"),
  );
  return [...new Set(links)].filter((href) => !/^(?:[a-z]+:|\/\/)/i.test(href));
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = ""]) => id));
}
