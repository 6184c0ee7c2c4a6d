import { useContext, useEffect, useRef } from 'preact/hooks'
import { typeText } from '../docs/schema-view.tsx'
import { type Path, pathText } from '../parts/path.ts'
import { RuleNames } from '../requests/status-pill.tsx'
import type { Schema } from '../store/operations.ts'
import { Refused, type ShownRefusal } from './refusal.ts'

/** The refusal, when it is about the field at a path. */
export function useRefusal(path: Path): ShownRefusal | undefined {
  const refusal = useContext(Refused)
  return refusal?.param !== undefined && refusal.param === pathText(path) ? refusal : undefined
}

interface Props {
  refusal: ShownRefusal
  schema: Schema
}

/** The note beside a refused field: the rule, the allowed values, and the assumptions of the emulator. */
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
          Refused by the rule <RuleNames rule={rule} />.
        </p>
      )}
      <p class="small">Allowed: {typeText(schema)}.</p>
      {assumptions.map(({ id, question, answer }) => (
        <details key={id} class="small">
          <summary>
            Assumption {id}: {question}
          </summary>
          {answer} <a href="guide/fidelity#assumed">All assumptions</a>
        </details>
      ))}
    </div>
  )
}
