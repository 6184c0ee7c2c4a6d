import type { Answer, Gateway } from './gateway.ts'
import { accepted, expectErrorOf, ownWorld, type Refusal } from './own-world.ts'

const generatePath = '/api/v3/images/generations'

/** A valid request: by default only a text. */
function imageBody(changes: Record<string, unknown> = {}) {
  return { model: 'model_image', prompt: 'a lighthouse at dawn', ...changes }
}

type RefusalOfImages = Pick<Refusal, 'status' | 'code' | 'message'>

/** A client of the image operation in its own world. */
export function worldOfImages(gateway: Gateway, name = gateway.freshWorld()) {
  const { key, control, untraced } = ownWorld(gateway, name)
  const generate = (changes?: Record<string, unknown>, as = key) =>
    gateway.call('POST', generatePath, imageBody(changes), { key: as })
  return {
    ...{ key, control, generate },
    /** The body of a successful reply; fails the test for any other. */
    made: async (changes?: Record<string, unknown>) => accepted(await generate(changes)),
    /** Fails unless the request is refused in the family's shape, nothing is stored and nothing is charged. */
    async refused(changes: Record<string, unknown>, wanted: RefusalOfImages, as = key): Promise<void> {
      expectError(await untraced(() => generate(changes, as)), wanted)
    },
  }
}

/** Fails unless a reply is an error of the image operation's shape (Spec, "Errors") with the expected content. */
const expectError = (reply: Answer, wanted: RefusalOfImages) =>
  expectErrorOf('code message', reply, { code: 'InvalidParameter', ...wanted })
