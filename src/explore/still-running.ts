/**
 * A program under virtual time that still runs after seven virtual days never gives up, so it is ended. By this line and exit code
 * `explore` recognises it.
 */
export const stillRunning = {
  ms: 7 * 86_400_000,
  code: 124,
  line: 'virtual-time: still running after seven virtual days',
}
