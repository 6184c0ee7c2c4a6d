/** A moment of virtual time. */
export const at = (seconds: number) => new Date(seconds * 1000).toISOString()

/** A task as the control API shows it that succeeded after ten seconds, for five credits. */
export const task = (id: string, others: object = {}) => ({
  id,
  family: 'a',
  request_id: `made-${id}`,
  next_change_at: null,
  timeline: [
    { at: at(0), to: 'queued', state: 'queued' },
    { at: at(10), from: 'running', to: 'succeeded', state: 'succeeded', is_past: true },
  ],
  charges: [{ at: at(10), kind: 'settled', amount: 5 }],
  media: [{ name: 'video', url: `http://127.0.0.1/files/w/${id}/video.mp4` }],
  ...others,
})
