import { describe, expect, it } from 'vitest'
import { sharedRequest } from '../../src/tasks/shared-values.ts'

describe('what equal tasks hold once', () => {
  const request = JSON.stringify({ model: 'model_a_20', prompt: 'a lighthouse' })
  const size = [1280, 720]

  it('is the request and the job, when both are equal', () => {
    const first = sharedRequest(request, { prompt: 'a lighthouse', size, seconds: 5 })
    const again = sharedRequest(`${request}`, { prompt: 'a lighthouse', size, seconds: 5 })
    expect(again.job).toBe(first.job)
    expect(again.request).toBe(request)
  })

  it.each([
    ['another value', { prompt: 'a lighthouse', size, seconds: 6 }],
    ['a value less', { prompt: 'a lighthouse', size }],
    ['a value more', { prompt: 'a lighthouse', size, seconds: 5, mark: true }],
    ['another name', { prompt: 'a lighthouse', size, minutes: 5 }],
  ])('is never a job that differs: %s', (_, job) => {
    sharedRequest(request, { prompt: 'a lighthouse', size, seconds: 5 })
    expect(sharedRequest(request, job).job).toEqual(job)
  })

  it('is nothing of a long request', () => {
    const long = JSON.stringify({ prompt: 'x'.repeat(5000) })
    const first = sharedRequest(long, { seconds: 5 })
    expect(sharedRequest(long, { seconds: 5 }).job).not.toBe(first.job)
  })

  it('goes on when there have been more requests than are remembered', () => {
    for (let number = 0; number < 5000; number++) {
      const job = { number }
      expect(sharedRequest(`{"number":${number}}`, job)).toEqual({ request: `{"number":${number}}`, job })
    }
  })
})
