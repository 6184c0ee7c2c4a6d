/** A request that has not come to the emulator for so long went to another server, wall ms. */
export const transitMs = 5000
/** The same for one to this machine, whose processes are seen, and for the rest of one of which the emulator has a part. */
export const nearMs = 500
/** A program that is killed at an open request meets no time-out before it, however late a busy machine kills it: wall ms. */
export const beforeDeathMs = 10_000
/** A process that has said that it works, or was asked, and has done nothing for so long, is blocked: wall ms. */
export const asleepMs = 500
/** One that says that it works, and has only done so in moments for so long, waits where nobody sees it: wall ms. */
export const momentsMs = 5000
/** A thread that has not said hello for so long after it was announced is not tied, wall ms. */
export const threadMs = 20_000
/** How often one looks while nothing is skipped, wall ms. */
export const lookMs = 25
/** So many looks in a row, each so long after the one before, wall ms, must find nobody who waits for a moment until it is said. */
export const surelyRounds = 4
export const surelyMs = 200
export const longestMs = 7 * 86_400_000
/** Where a system does not show its processes: how long one that is not tied may take to go on after it was woken, wall ms. */
export const graceMs = 20
/** How long a process that will be tied may do nothing before it says so, and how long it may take in all, wall ms. */
export const restMs = 3000
export const bornMs = 60_000
