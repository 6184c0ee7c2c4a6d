/** A public client of the gateway's APIs that is explored as its users run it. */
export interface Client {
  /** What `npm run clients -- ID` takes. */
  id: string
  /**
   * What the table calls it, in Markdown; `{NAME}` is the measured version of that package. `{commit}` and `{version}` are those of the
   * first repository.
   */
  name: string
  /** npm packages by the versions that are asked for. */
  packages?: Readonly<Record<string, string>>
  /** Debian packages that it needs. They must be installed, since Python's own registry is not asked. */
  debian?: readonly string[]
  /** The client's own, and others that it needs. */
  repositories?: readonly Repository[]
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

/** A GitHub repository at one commit. */
export interface Repository {
  name: string
  commit: string
  /** Those that are needed. They lie under `repository` in the client's folder. */
  paths: readonly string[]
  /** The file that says its version. */
  manifest?: string
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

/** A program of `programs` and its argument, by Debian's Python, with the sources of `repository`. The SDK does not download. */
const bySources = (program: string, module = '') => ({
  harness: `programs/${program}`,
  flags: [
    ...['--as', 'gateway.example', '--skip', 'media.*'],
    ...[...keepsClean, '--env', 'OUT={state}/out.mp4'],
  ],
  command: [
    'sh',
    '-c',
    `PYTHONPATH="$PYTHONPATH:repository:repository/src" exec /usr/bin/python3 ${program} ${module}`.trim(),
  ],
})
/** What both runtimes of Ark import. */
const arkNeeds = [
  ...['python3-httpx', 'python3-pydantic', 'python3-dateutil', 'python3-six', 'python3-urllib3'],
  'python3-certifi',
]
/** pydantic brings it from Python's registry; Debian 12 has an older one. */
const typingExtensions: Repository = {
  name: 'python/typing_extensions',
  commit: 'e1250ff869e7ee5ad05170d8a4b65469f13801c3',
  paths: ['src/typing_extensions.py'],
}

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
    id: 'ark-python',
    name: "`volcengine/volcengine-python-sdk` {version} ({commit}), `volcenginesdkarkruntime`, with Debian's httpx {python3-httpx} and pydantic {python3-pydantic}",
    debian: arkNeeds,
    repositories: [
      {
        name: 'volcengine/volcengine-python-sdk',
        commit: 'b5be43b5e6b3a2e618a8b27848b2e2bc2d1b64b0',
        paths: ['volcenginesdkarkruntime', 'volcenginesdkark', 'volcenginesdkcore'],
        manifest: 'setup.py',
      },
      typingExtensions,
    ],
    ...bySources('ark.py', 'volcenginesdkarkruntime'),
    found:
      'a create and a poll are sent twice more within three seconds, also after a broken or cut answer, so that one failed poll loses nothing, but an outage of half a minute does. A create whose answer is lost, cut or never comes is paid twice; the pause does not heed Retry-After; an answer that cannot be read is a bare JSONDecodeError, and loses the result. It has no wait of its own',
    advice:
      "look in the list before a create is sent again; wait as long as Retry-After says; make the decoder's error one of the SDK",
    readFor: '795a2e12',
  },
  {
    id: 'byteplus-python',
    name: "`byteplus-sdk/byteplus-python-sdk-v2` {version} ({commit}), `byteplussdkarkruntime`, with Debian's httpx {python3-httpx} and pydantic {python3-pydantic}",
    debian: arkNeeds,
    repositories: [
      {
        name: 'byteplus-sdk/byteplus-python-sdk-v2',
        commit: '88f68a35b83ccfd656f01f17092963961ac19b64',
        paths: ['byteplussdkarkruntime', 'byteplussdkark', 'byteplussdkcore'],
        manifest: 'setup.py',
      },
      typingExtensions,
    ],
    ...bySources('ark.py', 'byteplussdkarkruntime'),
    found: 'the same, case by case: what sends, repeats and reads differs from that of Ark in names only',
    advice: 'the same',
    readFor: '795a2e12',
  },
  {
    id: 'dashscope-python',
    name: "`dashscope/dashscope-sdk-python` {version} ({commit}), `VideoSynthesis.call`, with Debian's requests {python3-requests}",
    debian: [
      ...['python3-requests', 'python3-aiohttp', 'python3-websocket', 'python3-httpx'],
      ...['python3-certifi', 'python3-cryptography'],
    ],
    repositories: [
      {
        name: 'dashscope/dashscope-sdk-python',
        commit: 'c0d7a0b7174c1b24033be61cdb00dab45da93036',
        paths: ['dashscope'],
        manifest: 'dashscope/version.py',
      },
    ],
    ...bySources('dashscope-video.py'),
    found:
      '`wait` repeats a poll after 503 and 504 only, and then without a limit, so it survives an outage and a long queue, and waits for ever for a task that never ends. Any other failed poll (429, 500, 502, a broken connection, no answer, an answer that is cut or not readable) ends it, mostly as an exception of `requests`. `call` throws `InvalidTask` for a refused create, so that nobody comes to look at its `status_code`; a create is never sent again, and one without an answer leaves nothing to resume by',
    advice:
      'repeat polls after 429, each 5xx and broken connections; return the refusal from `call`; have a limit; make the errors of `requests` those of the SDK',
    readFor: '08924912',
  },
  {
    id: 'mmx-cli',
    name: "`mmx-cli` {mmx-cli}, MiniMax's own, `mmx video generate`",
    packages: { 'mmx-cli': 'latest', node: '22' },
    flags: [
      ...['--as', 'api.minimax.io', '--env', 'MINIMAX_REGION=global'],
      ...['--env', 'MMX_CONFIG_DIR={state}/settings', '--env', 'OUT={state}/out.mp4'],
    ],
    command: [
      'sh',
      '-c',
      'exec {node} node_modules/mmx-cli/dist/mmx.mjs video generate --api-key a-key --model MiniMax-H3 --prompt "a lighthouse" --download "$OUT"',
    ],
    found:
      "one failed poll (429, 5xx, a proxy's page, a broken connection, no answer, an answer that is cut or not readable) ends it, and nothing that it prints has the id to resume by; a queue or a run of ten minutes passes its limit of five; each 403 (moderation, the model, the balance) is told as a rejected key. A create is never sent again. It downloads again up to three times, also when the file stalls, and gives it its name when it is whole; an empty, broken or wrong file is the video. It ends at every final state",
    advice:
      'repeat polls; print the id before the first poll, and in each error; tell a 403 in the words of its answer; check the first bytes of the file',
    readFor: 'faa6d6ea',
  },
  {
    id: 'seedance2-skill',
    name: '`leonluo2008-ops/Seedance2-skill` {commit}, `seedance.py`',
    repositories: [
      {
        name: 'leonluo2008-ops/Seedance2-skill',
        commit: '5c1f487ce110079e141a3d72ed626d027340c31d',
        paths: ['scripts/seedance.py'],
      },
    ],
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
    repositories: [
      {
        name: 'K14AZzz/seedance-nova',
        commit: 'cf68d3172e001674ab8539413decbf68b77c3a53',
        paths: ['scripts/seedance.py'],
      },
    ],
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
    repositories: [
      {
        name: 'KangoLin/Seedance-VideoFactory',
        commit: '9274a1a58c48316f760946e1b17413a2f6365674',
        paths: ['05_Video/scripts', '05_Video/seedance_batch.json'],
      },
    ],
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
    repositories: [
      {
        name: 'shanchiyu0102-del/mirage-ai',
        commit: '17e18467f0c490bee0e87fc6f781942b83b61b0f',
        paths: ['debug-video-api.js'],
      },
    ],
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
    repositories: [
      {
        name: 'opcspace/blender-seedance-skills',
        commit: 'e29ad471096a95feded0336bd03dc726073798e9',
        paths: ['skills/seedance-white-model-video/scripts/volcengine_seedance.py'],
      },
    ],
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
    repositories: [
      {
        name: 'l8ai-cn/seedance-expert-skill',
        commit: '21fe97e4628b71adba4722c1e4971fca47003115',
        paths: ['scripts'],
      },
    ],
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
