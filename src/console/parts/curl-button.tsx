import { notify } from '../store/notices.ts'
import { copyAs, isWhole, type Sendable } from './copy-as.ts'
import { CopyButton } from './copy-button.tsx'

/** Copies a request as a command, and says when the copy is not the whole request. */
export function CurlButton({ call }: { call: Sendable }) {
  const text = () => {
    if (!isWhole(call.body))
      notify('done', 'The journal keeps files and long bodies shortened: put your own in their place.')
    // The journal has a body that is not JSON as a text.
    const { body, ...rest } = call
    return copyAs('curl', typeof body === 'string' ? { ...rest, text: body } : call)
  }
  return <CopyButton worded label="Copy as curl" text={text} />
}
