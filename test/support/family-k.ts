import type { Answer, Gateway } from './gateway.ts'
import { accepted, expectErrorOf, ownWorld, type Refusal } from './own-world.ts'

export const createPath = '/image-to-video/model_k_30'
export const turboPath = '/image-to-video/model_k_30_turbo'
export const avatarPath = '/videos/avatar/image2video'
export const voicePath = '/general/custom-voices'
export const presetsPath = '/general/advanced-presets-elements'
export const omniPath = '/omni-video/model_k_30_omni'
export const motionPath = '/motion-control/model_k_30'

type RefusalOfK = Omit<Refusal, 'type'>

export type WorldOfK = ReturnType<typeof worldOfK>

/** A client of family K in its own world. */
export function worldOfK(gateway: Gateway, name = gateway.freshWorld()) {
  const { key, control, advance, untraced } = ownWorld(gateway, name)
  const post = (path: string, body: unknown, as = key) => gateway.post(path, body, as)
  const get = (path: string, as = key) => gateway.get(path, as)
  /** Submits a task and returns its id; fails the test when it is refused. */
  const made = async (path: string, body: unknown, as = key): Promise<string> => {
    const { data } = accepted(await post(path, body, as))
    return data.id ?? data.task_id
  }
  /** The item of the batch query; undefined when it is missing. */
  const item = async (id: string) => accepted(await get(`/tasks?task_ids=${id}`)).data[0]
  /** The address of a sample file. */
  const sample = (file: string) => `${gateway.url}/__emulator/samples/${file}`
  return {
    ...{ key, control, advance, post, get, made, item, sample },
    /** Submits a video and returns its item when nothing changes any more. */
    async finished(path: string, body: unknown): Promise<Answer['body']> {
      const id = await made(path, body)
      await advance({ until: 'idle' })
      return item(id)
    },
    /** Clones a voice and returns its `voices[0]`. */
    async voice(): Promise<Answer['body']> {
      const id = await made(voicePath, { voice_name: 'Nora', voice_url: sample('voice-8s.mp3') })
      await advance({ until: 'idle' })
      return (await get(`${voicePath}/${id}`)).body.data.task_result.voices[0]
    },
    /** Fails unless the body is refused in the family's shape, nothing is stored and nothing is charged. */
    async refused(path: string, body: unknown, wanted: RefusalOfK, as?: string): Promise<void> {
      expectError(await untraced(() => post(path, body, as)), wanted)
    },
    /** A valid create body: one first frame, and what the test adds. */
    frameBody: (others: Record<string, unknown> = {}): Record<string, unknown> => ({
      contents: [{ type: 'first_frame', url: sample('landscape.jpg') }],
      ...others,
    }),
  }
}

/** Fails unless a reply is an error of family K's shape (Spec, "Errors") with the expected content. */
export const expectError = (reply: Answer, wanted: RefusalOfK = {}) =>
  expectErrorOf('code message param type', reply, { code: '1201', ...wanted })
