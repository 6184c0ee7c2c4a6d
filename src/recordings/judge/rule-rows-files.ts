import type { RuleRow } from './rule-rows.ts'

const any = /./

/** The rows about the files behind links, by the family of the task. */
export const fileRows: Readonly<Record<string, readonly RuleRow[]>> = {
  a: [
    { on: any, path: /^last_frame\./, rule: 'a.record.last-frame-url' },
    { on: any, path: /^file\.(?:width|height)$/, rule: 'a.record.resolution-ratio' },
    { on: any, path: /^file\.seconds$/, rule: 'a.record.duration' },
    { on: any, path: /^file\.fps$/, rule: 'a.record.fps' },
    { on: any, path: /^file\.audio$/, rule: 'a.record.audio' },
    { on: any, path: /^(?:file\.type|header\.content-type)$/, rule: 'a.create.format' },
  ],
  b: [
    { on: any, path: /^file\.(?:width|height)$/, rule: 'B-pixels' },
    { on: any, path: /^file\.seconds$/, rule: 'b.get.seconds' },
    { on: any, path: /^file\.fps$/, rule: 'b.get.fps' },
    { on: any, path: /^file\.audio$/, rule: 'B-sound' },
    { on: any, path: /^(?:file\.type|header\.content-type)$/, rule: 'b.get.video-url' },
  ],
  c: [
    { on: any, path: /^file\.(?:width|height)$/, rule: 'C-pixels' },
    { on: any, path: /^file\./, rule: 'C-frames' },
    { on: any, path: /^header\.content-type$/, rule: 'c.task.url' },
  ],
  k: [
    { on: any, path: /^file\.(?:width|height)$/, rule: 'K-size' },
    { on: any, path: /^file\.(?:seconds|fps)$/, rule: 'K-duration' },
    { on: any, path: /^file\.audio$/, rule: 'K-settings' },
    { on: any, path: /^(?:file\.type|header\.content-type)$/, rule: 'K-outputs' },
  ],
  image: [
    { on: any, path: /^file\.(?:width|height|size)$/, rule: 'image.reply.size' },
    { on: any, path: /^(?:file\.type|header\.content-type)$/, rule: 'image.reply.format' },
  ],
}
