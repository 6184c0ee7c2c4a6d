/** A public client of the gateway's APIs that is explored as its users run it. */
export interface Client {
  /** What `npm run clients -- ID` takes. */
  id: string
  /** What the table calls it, in Markdown; `{NAME}` is the measured version of that package, and `{commit}` the commit. */
  name: string
  /** npm packages by the versions that are asked for. */
  packages?: Readonly<Record<string, string>>
  /** A GitHub repository at one commit, and the paths of it that are needed. They lie under `repository` in the client's folder. */
  repository?: { name: string; commit: string; paths: readonly string[] }
  /** A program of a few lines, beside this file, that is laid into the client's folder. */
  harness?: string
  /** Options of explore. */
  flags: readonly string[]
  /** The command, in the client's folder. `{node}` is the Node that it asks for. */
  command: readonly string[]
  /** What was found, held against its code. */
  found: string
  /** What its maintainers could do. */
  advice: string
  /** The digest of the verdicts for which both texts were written. */
  readFor: string
}

const anyModel = (model: string) => ['--model-alias', `*=${model}`]
const ark = ['--as', 'ark.cn-beijing.volces.com', ...anyModel('model_a_25')]
/** A package, called by a program of `programs`. */
const byProgram = (program: string) => ({
  harness: `programs/${program}`,
  flags: ['--as', 'gateway.example'],
  command: ['{node}', program],
})
/** Python's own variable: no client writes compiled files beside its sources. */
const keepsClean = ['--env', 'PYTHONDONTWRITEBYTECODE=1']

export const clients: readonly Client[] = [
  {
    id: 'ai-6-bytedance',
    name: '`@ai-sdk/bytedance` {@ai-sdk/bytedance} with `ai` {ai}',
    packages: { ai: '6', '@ai-sdk/bytedance': '1' },
    ...byProgram('ai-sdk-bytedance.mjs'),
    found:
      "one failed poll (429, 5xx, a proxy's page, a broken connection, no answer) makes a second task; an answer that is cut or not readable, an outage of half a minute, and a queue or a run of ten minutes lose the result; it polls on after `cancelled` until its limit of five minutes. The download is not repeated, so that one fault of it loses the result; an empty, broken or wrong file is handed over",
    advice:
      'retry the poll, not create and poll together; show the task id in the error; end at every final state; repeat the download, and check the file',
    readFor: '808a93c3',
  },
  {
    id: 'ai-7-bytedance',
    name: '`@ai-sdk/bytedance` {@ai-sdk/bytedance} with `ai` {ai}',
    packages: { ai: '7', '@ai-sdk/bytedance': 'latest', node: '22' },
    ...byProgram('ai-sdk-bytedance.mjs'),
    found:
      'the same as with `ai` 6, case by case. `ai` 7 would send an idempotency key, but this provider does not take part in that',
    advice: 'the same',
    readFor: '808a93c3',
  },
  {
    id: 'ai-6-alibaba',
    name: '`@ai-sdk/alibaba` {@ai-sdk/alibaba} with `ai` {ai}',
    packages: { ai: '6', '@ai-sdk/alibaba': '1' },
    ...byProgram('ai-sdk-alibaba.mjs'),
    found:
      'the same at create, polls and download; here also a cut answer makes a second task, and `UNKNOWN` is polled to the limit',
    advice: 'the same; take `UNKNOWN` for an end',
    readFor: '1c62c754',
  },
  {
    id: 'ai-7-alibaba',
    name: '`@ai-sdk/alibaba` {@ai-sdk/alibaba} with `ai` {ai}',
    packages: { ai: '7', '@ai-sdk/alibaba': 'latest', node: '22' },
    ...byProgram('ai-sdk-alibaba.mjs'),
    found:
      'better than with `ai` 6: after a failed poll only the poll is repeated. A create whose answer is lost, cut or never comes is still sent again, with an idempotency key that the gateway does not read; an answer that cannot be read, an outage of half a minute, and a queue or a run of ten minutes lose the result, and so does one fault of the download',
    advice:
      'do not rely on the key: look whether the task exists, or do not repeat such a create; repeat the download',
    readFor: '7ac946b3',
  },
  {
    id: 'ai-7-minimax',
    name: '`@ai-sdk/minimax` {@ai-sdk/minimax} with `ai` {ai}',
    packages: { ai: '7', '@ai-sdk/minimax': 'latest', node: '22' },
    ...byProgram('ai-sdk-minimax.mjs'),
    found:
      "one failed poll (429, 5xx, a proxy's page, a broken connection, a cut answer, no answer) makes a second task; an answer that cannot be read, an outage of half a minute, and a queue or a run of ten minutes lose the result, and so does one fault of the download; an empty, broken or wrong file is handed over. It ends at every final state",
    advice: 'retry the poll, not create and poll together; repeat the download, and check the file',
    readFor: 'b40ea592',
  },
  {
    id: 'ai-6-images',
    name: '`@ai-sdk/openai-compatible` {@ai-sdk/openai-compatible} with `ai` {ai}, images',
    packages: { ai: '6', '@ai-sdk/openai-compatible': '2' },
    ...byProgram('ai-sdk-images.mjs'),
    found:
      'a create whose answer is lost, cut or never comes is sent again; an outage of half a minute outlasts its three attempts. It asks for the pixels in the answer, so it downloads nothing',
    advice: 'retry a create only when it cannot have been handled',
    readFor: '4eade3ea',
  },
  {
    id: 'ai-7-images',
    name: '`@ai-sdk/openai-compatible` {@ai-sdk/openai-compatible} with `ai` {ai}, images',
    packages: { ai: '7', '@ai-sdk/openai-compatible': 'latest', node: '22' },
    ...byProgram('ai-sdk-images.mjs'),
    found:
      "it no longer asks for the pixels in the answer but downloads them, and a fault of that download makes and pays for a new picture (503, 500, a proxy's page, a broken or cut connection, no answer); a create whose answer is lost, cut or never comes is still sent again; an empty, broken or wrong file is handed over",
    advice: 'repeat the download alone; retry a create only when it cannot have been handled; check the file',
    readFor: '49a28e28',
  },
  {
    id: 'openai-images',
    name: '`openai` {openai}, images',
    packages: { openai: 'latest', node: '22' },
    ...byProgram('openai-images.mjs'),
    found:
      'a create without an answer is sent again (`reply_lost`, `no_answer`; no client can find a picture again); an answer that cannot be read is a bare SyntaxError, and a cut one a bare TypeError',
    advice: 'retry a create only when it cannot have been handled; wrap both errors',
    readFor: '023ef2f7',
  },
  {
    id: 'seedance2-skill',
    name: '`leonluo2008-ops/Seedance2-skill` {commit}, `seedance.py`',
    repository: {
      name: 'leonluo2008-ops/Seedance2-skill',
      commit: '5c1f487ce110079e141a3d72ed626d027340c31d',
      paths: ['scripts/seedance.py'],
    },
    flags: [...ark, ...keepsClean, '--env', 'ARK_API_KEY=a-key', '--env', 'OUT={state}/out'],
    command: [
      'sh',
      '-c',
      'exec python3 repository/scripts/seedance.py create --prompt "a lighthouse" --ratio 16:9 --duration 4 --wait --download "$OUT"',
    ],
    found:
      'one failed poll (429, 5xx, a broken connection) ends it; only `URLError` is caught, so a reset, a time-out and an unreadable answer end in a traceback; every fault of the download is printed, and it ends with 0; `cancelled` is polled for ever',
    advice:
      'repeat polls; catch `OSError` and `ValueError`; end with 1 after a failed download; end at every final state',
    readFor: '8e50e240',
  },
  {
    id: 'seedance-nova',
    name: '`K14AZzz/seedance-nova` {commit}, `seedance.py`',
    repository: {
      name: 'K14AZzz/seedance-nova',
      commit: 'cf68d3172e001674ab8539413decbf68b77c3a53',
      paths: ['scripts/seedance.py'],
    },
    flags: [
      ...['--as', 'llm-proxy.tapsvc.com/volcengine', ...anyModel('model_a_25')],
      ...[...keepsClean, '--env', 'NOVA_LLM_API_KEY=a-key', '--env', 'OUT={state}/out.mp4'],
    ],
    command: [
      'sh',
      '-c',
      'exec python3 repository/scripts/seedance.py generate --prompt "a lighthouse" --output "$OUT"',
    ],
    found:
      'one failed poll (429, 5xx, a broken connection) ends it, and so does one fault of the download; a create without an answer leaves nothing to resume by; success without a link, and an empty, broken or wrong file, end with 0. It stops at each final state but `expired`, and after half an hour',
    advice: "repeat polls and the download; check the file's length and type; end at `expired`",
    readFor: '5a2529d1',
  },
  {
    id: 'seedance-videofactory',
    name: '`KangoLin/Seedance-VideoFactory` {commit}, `run_seedance_batch.py`',
    repository: {
      name: 'KangoLin/Seedance-VideoFactory',
      commit: '9274a1a58c48316f760946e1b17413a2f6365674',
      paths: ['05_Video/scripts', '05_Video/seedance_batch.json'],
    },
    flags: [...ark, ...keepsClean, '--env', 'OWN={state}'],
    // It writes beside its sources, so each run has its own copy.
    command: [
      'sh',
      '-c',
      'mkdir "$OWN/API_Key" && echo a-key > "$OWN/API_Key/VE_Key.txt" && cp -r repository/05_Video "$OWN" && exec python3 "$OWN/05_Video/scripts/run_seedance_batch.py" --asset DEMO_TEXT_001 --segment S01',
    ],
    found:
      'one failed poll (429, 5xx, a broken connection, no answer) or one broken download ends the batch in a traceback; an empty, broken or wrong file is saved as the segment, with 0; `expired` is polled to its limit of half an hour',
    advice: 'repeat polls and downloads; check the file before it gets its name; end at every final state',
    readFor: '96c5b823',
  },
  {
    id: 'mirage-ai',
    name: '`shanchiyu0102-del/mirage-ai` {commit}, `debug-video-api.js`',
    repository: {
      name: 'shanchiyu0102-del/mirage-ai',
      commit: '17e18467f0c490bee0e87fc6f781942b83b61b0f',
      paths: ['debug-video-api.js'],
    },
    flags: ['--as', 'dashscope.aliyuncs.com', ...anyModel('model_b')],
    command: ['{node}', 'repository/debug-video-api.js'],
    found:
      'it ends with 0 whatever happens, so 25 cases are taken for success; it repeats a refused poll, but not one that breaks off or cannot be read; it gives up after two minutes, before a queue of ten has passed',
    advice: 'set an exit code; repeat each poll; wait longer, or show how to ask again',
    readFor: '8df9e0b9',
  },
  {
    id: 'blender-seedance-skills',
    name: '`opcspace/blender-seedance-skills` {commit}, `volcengine_seedance.py`',
    repository: {
      name: 'opcspace/blender-seedance-skills',
      commit: 'e29ad471096a95feded0336bd03dc726073798e9',
      paths: ['skills/seedance-white-model-video/scripts/volcengine_seedance.py'],
    },
    flags: [
      ...[...ark, ...keepsClean, '--env', 'ARK_API_KEY=a-key'],
      ...['--env', 'VOLCENGINE_SEEDANCE_MODEL=doubao-seedance-2-0-260128'],
    ],
    command: [
      'python3',
      'repository/skills/seedance-white-model-video/scripts/volcengine_seedance.py',
      '--prompt',
      'a lighthouse',
    ],
    found:
      'it polls by list, and one failed poll (429, 5xx, a broken connection, no answer, an unreadable answer) ends it in a traceback; success without a link ends with 0. It stops at each final state, and after half an hour',
    advice: 'repeat polls; end with 1 without a link',
    readFor: '9e47da08',
  },
  {
    id: 'seedance-expert-skill',
    name: '`l8ai-cn/seedance-expert-skill` {commit}, `seedance_generate.py`',
    repository: {
      name: 'l8ai-cn/seedance-expert-skill',
      commit: '21fe97e4628b71adba4722c1e4971fca47003115',
      paths: ['scripts'],
    },
    flags: [
      ...[...ark, ...keepsClean, '--env', 'SEEDANCE_API_KEY=a-key'],
      ...['--env', 'SEEDANCE_MODEL=doubao-seedance-2-0-260128', '--env', 'OUT={state}/out.mp4'],
    ],
    // It makes a video only for a request whose fingerprint was approved.
    command: [
      'sh',
      '-c',
      'set -- "A lighthouse at dawn, waves, slow push in" --output "$OUT"; exec python3 repository/scripts/seedance_generate.py "$@" --approval "$(python3 repository/scripts/seedance_generate.py "$@" --print-approval)"',
    ],
    found:
      'one failed poll or download ends it, in its own words, with an id to resume by; a create without an answer leaves nothing to resume by; a file that breaks off half way, or has broken bytes, is saved, with 0 (an empty one and a page of HTML are refused); `IncompleteRead` is not caught',
    advice:
      'repeat polls; compare the length with `Content-Length`; look in the list when the create got no answer',
    readFor: 'fa028611',
  },
]
