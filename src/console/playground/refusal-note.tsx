import { useContext, useEffect, useRef } from 'preact/hooks'
import { typeText } from '../docs/schema-view.tsx'
import { to } from '../store/address.ts'
import type { Schema } from '../store/operations.ts'
import type { Path } from './body.ts'
import { paramOf, type Refusal, Refused } from './refusal.ts'

/** The refusal, when it is about the field at a path. */
export function useRefusal(path: Path): Refusal | undefined {
  const refusal = useContext(Refused)
  return refusal?.param !== undefined && refusal.param === paramOf(path) ? refusal : undefined
}

interface Props {
  refusal: Refusal
  schema: Schema
}

/** Beside the field that was refused: the rule, what is allowed, and what the emulator assumes. */
export function RefusalNote({ refusal: { status, said, rule, assumptions }, schema }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'center' }), [said])
  return (
    <div class="refusal tone-failed" ref={box}>
      <p>
        <strong>{status}:</strong> {said}
      </p>
      {rule !== undefined && (
        <p class="small">
          The rule <a href={to('scenarios', rule.split('/')[0] ?? '')}>{rule}</a> wanted it so.
        </p>
      )}
      <p class="small">Allowed: {typeText(schema)}.</p>
      {assumptions.map(({ id, question, answer }) => (
        <details key={id} class="small">
          <summary>
            Assumption {id}: {question}
          </summary>
          {answer} <a href={to('world', 'assumptions')}>All assumptions</a>
        </details>
      ))}
    </div>
  )
}
