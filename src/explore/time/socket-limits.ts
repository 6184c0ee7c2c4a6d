import { Socket } from 'node:net'

/** A socket with what Node keeps of its time-out. */
type Timed = Socket & { _parent?: Timed | null; _onTimeout(): void; _unrefTimer(): void }

/**
 * Ties the time-outs of connections to the program's timers: `socket.setTimeout`, and so those of requests of `node:http`. Node measures
 * them with timers that cannot be replaced.
 */
export function limitSockets(): void {
  const timers = new Map<Timed, NodeJS.Timeout>()
  const followed = new WeakSet<Timed>()
  const stop = (socket: Timed) => {
    clearTimeout(timers.get(socket))
    timers.delete(socket)
  }
  const sockets = Socket.prototype as Timed
  const { setTimeout: measure, _unrefTimer: goOn } = sockets
  sockets.setTimeout = function (this: Timed, ms, listener) {
    measure.call(this, ms, listener)
    stop(this)
    if (this.destroyed || !(ms > 0)) return this
    // Its own timer stops; the property stays as programs read it.
    measure.call(this, 0)
    Object.assign(this, { timeout: ms })
    timers.set(this, setTimeout(() => this._onTimeout(), ms).unref())
    if (!followed.has(this)) this.once('close', () => stop(this))
    followed.add(this)
    return this
  }
  // Node calls it for each part that was sent or has arrived.
  sockets._unrefTimer = function () {
    goOn.call(this)
    for (let socket: Timed | null | undefined = this; socket; socket = socket._parent)
      timers.get(socket)?.refresh()
  }
}
