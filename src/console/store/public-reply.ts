/** The reply to a call of the emulated API. */
export interface PublicReply {
  status: number
  /** Names in lower case. */
  headers: [string, string][]
  /** Parsed where it is JSON, else a text. */
  body: unknown
  /** Wall milliseconds from the request to the end of the reply. */
  ms: number
}

/** A header of a reply, by its name in lower case. */
export function headerOf({ headers }: Pick<PublicReply, 'headers'>, name: string): string | undefined {
  return headers.find(([known]) => known === name)?.[1]
}
