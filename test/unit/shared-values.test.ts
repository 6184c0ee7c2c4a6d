import { describe, expect, it } from 'vitest'
import { sharedRequest } from '../../src/emulator/tasks/admission.ts'

describe('values that equal tasks share', () => {
  const request = JSON.stringify({ model: 'model_a_20', prompt: 'a lighthouse' })
  const size = [1280, 720]

  it('are the request and the job, when both are equal', () => {
    // The next call may change the object that this one returns.
    const { job } = sharedRequest(request, { prompt: 'a lighthouse', size, seconds: 5 })
    const again = sharedRequest(`${request}`, { prompt: 'a lighthouse', size, seconds: 5 })
    expect(again.job).toBe(job)
    expect(again.request).toBe(request)
  })

  it.each([
    ['another value', { prompt: 'a lighthouse', size, seconds: 6 }],
    ['a value less', { prompt: 'a lighthouse', size }],
    ['a value more', { prompt: 'a lighthouse', size, seconds: 5, mark: true }],
    ['another name', { prompt: 'a lighthouse', size, minutes: 5 }],
  ])('do not include a job that differs: %s', (_, job) => {
    sharedRequest(request, { prompt: 'a lighthouse', size, seconds: 5 })
    expect(sharedRequest(request, job).job).toEqual(job)
  })

  it('do not include a long request', () => {
    const long = JSON.stringify({ prompt: 'x'.repeat(5000) })
    const { job } = sharedRequest(long, { seconds: 5 })
    expect(sharedRequest(long, { seconds: 5 }).job).not.toBe(job)
  })

  it('are those of the request, also when more requests came than are kept', () => {
    for (let number = 0; number < 5000; number++) {
      const job = { number }
      expect(sharedRequest(`{"number":${number}}`, job)).toEqual({ request: `{"number":${number}}`, job })
    }
  })
})
