import { useEffect, useState } from 'preact/hooks'
import type { ComingDownloads, TaskLine, TaskView } from '../../kits/views.ts'
import { callsText, thenText } from '../breaking/breakage.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { fromNow, preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Picture } from '../parts/picture.tsx'
import { RuleNames } from '../requests/status-pill.tsx'
import { now } from '../store/clock.ts'
import { failures, readFailures } from '../store/failures.ts'
import { bytesOfMedia, stateAt } from '../store/tasks.ts'

const pictureEndings = new Set(['png', 'jpeg', 'jpg', 'webp'])
const soundEndings = new Set(['mp3', 'wav'])
const download = 'media.download'

type MediaFile = TaskView['media'][number]

interface Fault {
  words: string
  /** True when only the next download is sure to get it. */
  isOnce?: boolean
  shown?: 'always' | 'unless a picture'
}

/** What clients get in place of a file, and whether it can be shown: a picture that stops would be waited for without end. */
const faults: Readonly<Record<NonNullable<TaskView['media_fault']>['kind'], Fault>> = {
  truncated: { words: 'half of this file', shown: 'always' },
  empty: { words: 'an empty file' },
  corrupt: { words: 'this file with wrong bytes', shown: 'always' },
  wrong_type: { words: 'a page of HTML' },
  missing_url: { words: 'a reply without a link' },
  link_expired: { words: 'a refusal: the link expired' },
  link_exhausted: { words: 'a refusal: the link was used too often' },
  slow: { words: 'this file slowly', shown: 'always' },
  stall: { words: 'this file up to a place where it stops', shown: 'unless a picture' },
}

/** The fault with which clients get a file; undefined when they get it as it was made. A rule acts before its link is looked at. */
function faultOf(task: TaskView, { expires_at, downloads, max_downloads }: MediaFile): Fault | undefined {
  const broken = surelyNext(task, isNoFile)
  if (broken) return { words: 'no whole file', isOnce: broken.last !== null }
  if (Date.parse(expires_at) <= now.value) return faults.link_expired
  if (max_downloads !== null && downloads >= max_downloads) return faults.link_exhausted
  const next = surelyNext(task, rule => rule.media_fault !== undefined)
  const given = next?.media_fault ?? task.media_fault
  const fault = given && faults[given.kind]
  return fault && { ...fault, isOnce: (next?.last ?? null) !== null }
}

/** The first rule that is sure to act on the next download, of those that a condition selects. */
function surelyNext(
  task: TaskView,
  isMeant: (rule: ComingDownloads) => boolean,
): ComingDownloads | undefined {
  return rulesOf(task).find(rule => {
    const isSure = rule.first === 1 && (rule.chance ?? 1) === 1 && !rule.headers
    return isSure && (rule.from_ms ?? 0) <= now.value && isMeant(rule)
  })
}

/** The rules that can act on coming downloads, in the order in which they are tried. */
function rulesOf({ coming_downloads: rules = [] }: TaskView): ComingDownloads[] {
  return rules.filter(({ until_ms: until = Number.POSITIVE_INFINITY }) => until > now.value)
}

/** Whether a rule gives the client something other than the file: a refusal, or a connection that breaks. */
function isNoFile({ then }: ComingDownloads): boolean {
  const { refuse, connection = {} } = then as { refuse?: object; connection?: string | object }
  if (refuse !== undefined || typeof connection === 'string') return true
  return ['hang', 'reset', 'garble'].some(word => word in connection)
}

/** What rules that have not acted yet will do to downloads of a task's files, the next one first. */
export function Coming({ task }: { task: TaskView }) {
  const rules = rulesOf(task).sort((a, b) => a.first - b.first)
  useEffect(() => void (rules.length > 0 && readFailures()), [rules.length])
  return (
    <ul class="small" aria-label="What coming downloads get">
      {rules.map(rule => (
        <li key={rule.rule} class="remark tone-expired">
          {whenText(rule)}: {thenText(download, rule.then, failures.value)} (<RuleNames rule={rule.rule} />)
        </li>
      ))}
    </ul>
  )
}

/** On which downloads a rule acts: `next media.download`, `each media.download, before 08:10:00.000`. */
function whenText({ first, last, every = 1, from_ms: from = 0, until_ms, chance, headers }: ComingDownloads) {
  const each = every > 1 ? `one ${download} in ${every}` : `each ${download}`
  const range = last === null ? `from number ${first} from now on` : `number ${first} to ${last} from now`
  return [
    first === last ? callsText(download, [first]) : each,
    first !== last && !(first === 1 && last === null) && range,
    from > now.value && `from ${preciseTime(from)} on`,
    until_ms !== undefined && `before ${preciseTime(until_ms)}`,
    headers && `if ${headers.join(' and ')} has the right value`,
    chance !== undefined && `with a chance of ${Math.round(chance * 1000) / 10} %`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Shows files as clients get them and says what is wrong with them, or as they were made when that is asked for. */
function useSight(task: TaskView, file: MediaFile) {
  const [isWhole, setWhole] = useState(false)
  const fault = faultOf(task, file)
  const isBroken = fault !== undefined && !isWhole
  const shown = fault?.shown === 'always' || (fault?.shown !== undefined && !pictureEndings.has(file.ending))
  return {
    isShown: shown || !isBroken,
    /** A file that may never end is not asked for before somebody plays it. */
    preload: isBroken && fault.shown === 'unless a picture' ? 'none' : 'metadata',
    addressOf: (name: string) => bytesOfMedia(task.id, name, isBroken ? 'client' : 'made'),
    remark: fault && (
      <p class="remark tone-expired row spread" role="status">
        {fault.isOnce ? 'The next download gets' : 'Clients get'} {fault.words}.
        <Button look="small" act={() => setWhole(!isWhole)}>
          {isWhole ? 'Show what clients get' : 'Show the whole file'}
        </Button>
      </p>
    ),
  } as const
}

/** The files of a task. Looking at them here does not count as a download. */
export function Media({ task, line }: { task: TaskView; line: TaskLine }) {
  const text = textOf(task)
  if (text !== undefined && stateAt(line, now.value)?.state === 'succeeded') return <TextResult text={text} />
  const [first] = task.media
  if (!first) return <Nothing task={task} line={line} />
  const parts = partsOf(task)
  if (parts) return <Layers task={task} first={first} parts={parts} />
  return (
    <div class="media">
      {task.media.map(file => (
        <Figure key={file.name} task={task} file={file} />
      ))}
    </div>
  )
}

/** The text that a task makes in place of files; undefined for any other task. */
function textOf({ job }: TaskView): string | undefined {
  const { enhanced } = job as { enhanced?: unknown }
  return typeof enhanced === 'string' ? enhanced : undefined
}

function TextResult({ text }: { text: string }) {
  return (
    <figure class="text-result stack body-text">
      <blockquote>{text}</blockquote>
      <figcaption class="row small quiet">
        <span class="grow">The enhanced prompt, as a poll answers it.</span>
        <CopyButton text={text} label="Copy the text" worded />
      </figcaption>
    </figure>
  )
}

/** Width and height in pixels, where the file is a picture or video whose size is known. */
function sizeOf({ recipe }: MediaFile): { width?: number; height?: number } {
  return recipe as { width?: number; height?: number }
}

function Figure({ task, file }: { task: TaskView; file: MediaFile }) {
  const { isShown, remark, addressOf, preload } = useSight(task, file)
  const address = addressOf(file.name)
  return (
    <figure>
      {remark}
      {isShown && <Player key={address} file={file} address={address} preload={preload} />}
      <Caption file={file} task={task} />
    </figure>
  )
}

interface PlayerProps {
  file: MediaFile
  address: string
  preload: 'none' | 'metadata'
}

function Player({ file, address, preload }: PlayerProps) {
  const { width, height } = sizeOf(file)
  if (pictureEndings.has(file.ending))
    return (
      <Picture
        class="chequered"
        src={address}
        alt={`${file.name.replaceAll('_', ' ')} of the task`}
        width={width}
        height={height}
      />
    )
  const isSound = soundEndings.has(file.ending)
  const Element = isSound ? 'audio' : 'video'
  return (
    <Element
      src={address}
      controls
      playsInline
      preload={preload}
      aria-label={file.name}
      style={!isSound && width && height ? { aspectRatio: `${width} / ${height}` } : {}}
    />
  )
}

function Caption({ file, task }: { file: MediaFile; task: TaskView }) {
  const expiry = Date.parse(file.expires_at)
  const { width, height } = sizeOf(file)
  return (
    <figcaption class="small quiet">
      <span class="row">
        <strong>{file.name.replaceAll('_', ' ')}</strong>
        <span>
          {width && height ? `${width}×${height} ` : ''}
          {file.ending}
        </span>
        <span>
          {file.downloads}
          {file.max_downloads !== null && ` of ${file.max_downloads}`} downloads
        </span>
        <span>
          link {expiry > now.value ? 'expires' : 'expired'} {fromNow(expiry, now.value)}
        </span>
        {file.url && <a href={new URL(file.url).pathname + new URL(file.url).search}>the client’s link</a>}
        {file.url && <CopyButton text={file.url} label="Copy the client’s link" />}
        <a
          class="button small"
          href={bytesOfMedia(task.id, file.name)}
          download={`${task.id}-${file.name}.${file.ending}`}
          title="Save the file; this does not count as a download"
        >
          <Icon name="save" />
          Save
        </a>
      </span>
    </figcaption>
  )
}

function Nothing({ task, line }: { task: TaskView; line: TaskLine }) {
  const end = line.states.at(-1)
  const isComing = end !== undefined && end.at_ms > now.value
  return (
    <div class="media-none">
      <Icon name="picture" />
      <p>
        {task.view.error ? (
          <>
            <strong>{task.view.error.code}</strong>
            <br />
            {task.view.error.message}
          </>
        ) : isComing ? (
          `${textOf(task) === undefined ? 'Files appear' : 'The text appears'} when the task succeeds. It becomes ${end.word} ${fromNow(end.at_ms, now.value)}.`
        ) : (
          'This task has no files.'
        )}
      </p>
    </div>
  )
}

/** One picture of a decomposition: the base first, then its layers from back to front. */
interface Part {
  output: string
  name: string
  description?: string
  size: readonly [number, number]
  /** Left, top, right, bottom in pixels of the base; the base has none. */
  box?: readonly [number, number, number, number]
}

interface RawPart {
  size: [number, number]
  name?: string
  description?: string
  box?: { absolute: [number, number, number, number] }
}

/** The parts of a decomposed picture; undefined for any other task. */
function partsOf({ job, media }: TaskView): Part[] | undefined {
  const { parts } = job as { parts?: RawPart[] }
  if (!Array.isArray(parts)) return undefined
  return parts.map(({ size, name, description, box }, i) => ({
    output: media[i]?.name ?? '',
    name: name ?? (i === 0 ? 'base' : `layer ${i}`),
    size,
    ...(description !== undefined && { description }),
    ...(box && { box: box.absolute }),
  }))
}

/** The layers, each alone or all composed. */
function Layers({ task, first, parts }: { task: TaskView; first: MediaFile; parts: readonly Part[] }) {
  const { isShown, remark, addressOf } = useSight(task, first)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [base] = parts
  if (!base) return null
  const all = parts.map(({ output }) => output)
  const toggle = (output: string) => {
    const next = new Set(hidden)
    if (!next.delete(output)) next.add(output)
    setHidden(next)
  }
  const showOnly = (output: string) => setHidden(new Set(all.filter(other => other !== output)))
  return (
    <div class="layers">
      {remark}
      <div
        class="stage chequered"
        style={{
          aspectRatio: `${base.size[0]} / ${base.size[1]}`,
          maxWidth: `${(46 * base.size[0]) / base.size[1]}vh`,
        }}
      >
        {(isShown ? parts : []).map(part => (
          <Picture
            key={addressOf(part.output)}
            src={addressOf(part.output)}
            alt={part.name}
            hidden={hidden.has(part.output)}
            style={layerPlaceOf(part, base.size)}
          />
        ))}
      </div>
      <fieldset class="layer-list">
        <legend class="row spread">
          <strong>{parts.length - 1} layers over a base</strong>
          <span class="row">
            <Button look="small" act={() => setHidden(new Set())}>
              Composed
            </Button>
            <Button look="small" act={() => showOnly(base.output)}>
              Base only
            </Button>
          </span>
        </legend>
        {parts.map(({ output, name, description }) => (
          <div key={output} class="layer">
            <label title={description}>
              <input type="checkbox" checked={!hidden.has(output)} onChange={() => toggle(output)} />
              <span class="cut">{name}</span>
            </label>
            <Button look="plain small" aria-label={`Show only ${name}`} act={() => showOnly(output)}>
              only
            </Button>
          </div>
        ))}
      </fieldset>
    </div>
  )
}

function layerPlaceOf({ box }: Part, [width, height]: readonly [number, number]) {
  const [left, top, right, bottom] = box ?? [0, 0, width, height]
  const share = (value: number, of: number) => `${(value / of) * 100}%`
  return {
    left: share(left, width),
    top: share(top, height),
    width: share(right - left, width),
    height: share(bottom - top, height),
  }
}
