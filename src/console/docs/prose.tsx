/** A text of the document; words between backticks are code, everything else is shown as it is written. */
export function Prose({ text }: { text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}
