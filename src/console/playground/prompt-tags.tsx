const tags: readonly { tag: string; does: string }[] = [
  { tag: '[[refuse:moderated]]', does: 'Moderation refuses the request' },
  { tag: '[[refuse:rate_limited]]', does: 'Too many requests' },
  { tag: '[[fail:InternalServiceError]]', does: 'The task fails with this code' },
  { tag: '[[queue:30s]]', does: 'It waits 30 s' },
  { tag: '[[run:2m]]', does: 'It runs 2 min' },
  { tag: '[[never]]', does: 'It never ends by itself' },
  { tag: '[[expire]]', does: 'It expires' },
  { tag: '[[cancel]]', does: 'It is cancelled' },
  { tag: '[[media:truncated]]', does: 'Its file is cut off' },
  { tag: '[[link:expired]]', does: 'Its link has expired' },
]

/** Tags that decide what becomes of one request, put at the end of its prompt. */
export function PromptTags({ add }: { add: (tag: string) => void }) {
  return (
    <div class="row prompt-tags" role="group" aria-label="Prompt tags">
      {tags.map(({ tag, does }) => (
        <button key={tag} type="button" class="tag" title={does} onClick={() => add(tag)}>
          {tag.slice(2, -2)}
        </button>
      ))}
    </div>
  )
}
