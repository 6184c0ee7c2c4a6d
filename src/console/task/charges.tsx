import { alignedCredits, preciseTime } from '../parts/format.ts'
import type { TaskView } from '../store/shapes.ts'

export function Charges({ task: { charges } }: { task: TaskView }) {
  if (charges.length === 0) return <p class="quiet json">This task costs nothing.</p>
  const amounts = charges.flatMap(({ amount, released = 0 }) => [amount, released])
  return (
    <div class="scroll-x">
      <table class="table">
        <caption class="unseen">Charges</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col" class="number">
              Credits
            </th>
            <th scope="col" class="number">
              Given back
            </th>
          </tr>
        </thead>
        <tbody>
          {charges.map(({ at, kind, amount, released }) => (
            <tr key={`${at}${kind}`}>
              <td class="mono">{preciseTime(Date.parse(at))}</td>
              <td>{kind}</td>
              <td class="number">{alignedCredits(amount, amounts)}</td>
              <td class="number">{released === undefined ? '–' : alignedCredits(released, amounts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
