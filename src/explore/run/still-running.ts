/**
 * A program under virtual time that still runs after seven virtual days never gives up, so it is ended. `explore`
 * recognises it by this line and this exit code.
 */
export const stillRunning = {
  ms: 7 * 86_400_000,
  code: 124,
  line: 'virtual-time: still running after seven virtual days',
}
