import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers } from '../http/headers.ts'
import type { MediaFault } from '../worlds/task.ts'
import type { Reply } from './endpoint.ts'

/** A file or a part of it. Its headers include the length; `end < start` in the transfer means no payload. */
export interface FileReply {
  kind: 'file'
  status: number
  headers: Headers
  payload: Buffer | AsyncIterable<Buffer> | undefined
  /** Where the payload begins in its file, and the size of the file, in bytes. Absent = the payload is the whole file. */
  place?: { start: number; size: number }
  /** What a scenario does to the bytes. */
  media?: MediaFault | undefined
}

/** The target that a live stream is written to. */
export interface Outlet {
  write(text: string): void
  /** Bytes that the client has not yet taken. */
  readonly waitingBytes: number
  /** Ends the stream. */
  end(): void
  /** Resolves when the client has read the waiting bytes or has closed the connection. */
  drained(): Promise<void>
  /** Breaks the connection. */
  cut(): void
  /** Calls back once, when the client has closed the connection or the stream has ended. */
  onClose(listener: () => void): void
}

/** A reply that continues until one side ends it. */
export interface StreamReply {
  kind: 'stream'
  status: number
  headers: Headers
  run(outlet: Outlet): void
}

/** A page or a file of the console, which Express serves. `otherwise` is called when Express has nothing for the path. */
export interface PageReply {
  kind: 'page'
  status: number
  headers: Headers
  serve(request: IncomingMessage, response: ServerResponse, otherwise: (error?: unknown) => void): void
}

/** Everything that the writer can send. */
export type Answer = Reply | FileReply | StreamReply | PageReply
