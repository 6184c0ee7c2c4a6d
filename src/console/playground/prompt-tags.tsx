import { promptTags } from './samples.ts'

/** Tags that decide the outcome of one request; a click adds one at the end of its prompt. */
export function PromptTags({ add }: { add: (tag: string) => void }) {
  if (promptTags.value.length === 0) return null
  return (
    <div class="row prompt-tags" role="group" aria-label="Prompt tags">
      {promptTags.value.map(({ tag, does }) => (
        <button key={tag} type="button" class="tag" title={does} onClick={() => add(tag)}>
          {tag.slice(2, -2)}
        </button>
      ))}
    </div>
  )
}
