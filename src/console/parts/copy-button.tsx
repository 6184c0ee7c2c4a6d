import { useState } from 'preact/hooks'
import { notify } from '../store/notices.ts'
import { Icon } from './icons.tsx'

/** Puts a text into the clipboard; false, with a notice, when the browser refuses. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    notify('fault', 'The browser does not let this page write to the clipboard. Select the text and copy it.')
    return false
  }
}

interface Props {
  text: string | (() => string)
  label: string
  /** True shows the label beside the sign. */
  worded?: boolean
}

export function CopyButton({ text, label, worded = false }: Props) {
  const [isCopied, setCopied] = useState(false)
  const act = async () => {
    if (!(await copy(typeof text === 'string' ? text : text()))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button
      type="button"
      class={`button small ${worded ? '' : 'icon plain'}`}
      aria-label={worded ? undefined : label}
      title={label}
      onClick={() => void act()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {worded && (isCopied ? 'Copied' : label)}
    </button>
  )
}
