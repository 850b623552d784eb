export function Avatar({ id, name, isOnline }: { id: string; name: string; isOnline?: boolean | undefined }) {
  return (
    <span class={`chat-avatar chat-hue-${hueOf(id)}`} aria-hidden="true">
      {initialsOf(name)}
      {isOnline === true && <span class="chat-online" />}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return sum % 6;
}
