export function WithCode({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  );
}
