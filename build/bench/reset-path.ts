/** How the bench has a server forget its tasks. The servers that it compares with know this path of the emulator, too. */
export const resetPath = '/__emulator/worlds/default/reset'
