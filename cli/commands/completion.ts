import { exitCodes, wrongUse } from "../cli-error.ts";
import { argument, type Command, type ListedCommand, readOptions, toFlag } from "../command.ts";
import { optionsOf, otherPrograms } from "../program.ts";

const shells: Readonly<Record<string, (words: ReadonlyMap<string, readonly string[]>) => string>> = {
  bash: (words) => `${runner}
_cometchat_functions() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
    --stage) words="$(${stages})" ;;
    *) case "$typed " in
${casesOf(words, (list) => `words="${list}"`)}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _cometchat_functions cometchat-functions
`,
  zsh: (words) => `#compdef cometchat-functions
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
${runner}
_cometchat_functions() {
  local typed="\${words[2,CURRENT-1]}" list
  case "\${words[CURRENT-1]}" in
    --stage) list="$(${stages})" ;;
    *) case "$typed " in
${casesOf(words, (list) => `list="${list}"`)}
    esac ;;
  esac
  compadd -- \${=list}
}
compdef _cometchat_functions cometchat-functions
`,
  fish: (
    words,
  ) => `type -q cometchat-functions; or function cometchat-functions; npx cometchat-functions $argv; end
function _cometchat_functions
  set -l words (commandline -opc)[2..]
  if test "$words[-1]" = --stage
    ${stages}
    return
  end
  switch "$words "
${[...words].map(([typed, list]) => `    case '${typed}*'\n      string split -- ' ' '${list.join(" ")}'`).join("\n")}
  end
end
complete -c cometchat-functions -f -a '(_cometchat_functions)'
`,
};

/** npx puts nothing of this name on the path. */
const runner =
  'command -v cometchat-functions >/dev/null || cometchat-functions() { npx cometchat-functions "$@"; }';

const stages = `sed -n 's/^\\([A-Za-z][A-Za-z0-9-]*\\):.*/\\1/p' config/stages.yml 2>/dev/null | grep -vx -e local -e default`;

function casesOf(words: ReadonlyMap<string, readonly string[]>, set: (list: string) => string) {
  return [...words].map(([typed, list]) => `      "${typed}"*) ${set(list.join(" "))} ;;`).join("\n");
}

/** Keyed by the words typed before, the longest first. */
async function wordsAfter(commands: readonly ListedCommand[]) {
  const found = new Map<string, string[]>([["", Object.keys(otherPrograms)]]);
  for (const { name, load } of commands) {
    const { command: listed } = await load();
    const words = Object.values(listed.arguments ?? {}).flatMap((one) => one.words ?? []);
    found.set(`${name} `, [...words, "--help", ...Object.keys(optionsOf(listed)).map(toFlag)]);
    const [first = "", second] = name.split(" ");
    const add = (typed: string, word: string) => {
      const known = found.get(typed) ?? [];
      if (!known.includes(word)) found.set(typed, [...known, word]);
    };
    add("", first);
    if (second !== undefined) add(`${first} `, second);
  }
  return new Map([...found].toSorted(([one], [other]) => other.length - one.length));
}

const args = { shell: { ...argument("bash, zsh or fish"), words: Object.keys(shells) } };

export const command: Command = {
  description:
    "Completes commands, options and the stages of config/stages.yml, for the word cometchat-functions.",
  examples: `
    $ completion bash >> ~/.bashrc
        complete in new shells; for zsh, append it to ~/.zshrc
    $ completion fish > ~/.config/fish/completions/cometchat-functions.fish
        for fish
  `,
  arguments: args,
  isApart: true,
  perform: async (typed, { commands, edges }) => {
    const { shell } = readOptions(typed, args);
    const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (write === undefined)
      throw wrongUse(`There is no completion for "${shell}".`, "There is bash, zsh, fish.");
    edges.stdout.write(write(await wordsAfter(commands)));
    return exitCodes.done;
  },
};
