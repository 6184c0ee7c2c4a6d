import { notify } from '../store/notices.ts'
import { copyAs, isWhole, type Sendable } from './copy-as.ts'
import { CopyButton } from './copy-button.tsx'

/** Copies a request as a command, and says when the copy is not the whole request. */
export function CurlButton({ call }: { call: Sendable }) {
  const text = () => {
    if (!isWhole(call.body))
      notify('done', 'The journal keeps files and long texts as digests: put your own in their place.')
    return copyAs('curl', call)
  }
  return <CopyButton worded label="Copy as curl" text={text} />
}
