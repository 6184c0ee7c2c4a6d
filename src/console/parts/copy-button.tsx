import { useState } from 'preact/hooks'
import { notify } from '../store/notices.ts'
import { Button } from './button.tsx'
import { type CopyForm, copyAs, copyForms, isWhole, type Sendable } from './copy-as.ts'

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
    <Button
      look={worded ? 'small' : 'small plain'}
      icon={isCopied ? 'check' : 'copy'}
      {...(!worded && { label })}
      title={label}
      act={act}
    >
      {worded && (isCopied ? 'Copied' : label)}
    </Button>
  )
}

/** A text that programs take, such as a key, and a button that copies it. */
export function CopiedCode({ text, label }: { text: string; label: string }) {
  return (
    <span class="row">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

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

export function CopyAs({ call }: { call: Sendable }) {
  const act = async (form: CopyForm) => {
    if (await copy(copyAs(form, call))) notify('done', `Copied as ${copyForms[form]}`)
  }
  return (
    <div class="group" role="group" aria-label="Copy as">
      {(Object.keys(copyForms) as CopyForm[]).map(form => (
        <Button key={form} title={`Copy as ${copyForms[form]}`} act={() => act(form)}>
          {copyForms[form]}
        </Button>
      ))}
    </div>
  )
}
