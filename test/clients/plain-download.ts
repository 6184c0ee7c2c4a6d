/**
 * The AI SDK downloads result links itself and refuses loopback addresses, so a local emulator needs a `download` of one's own.
 * Links are fetched without a key (Spec, "Authentication" 6).
 */
export async function plainDownload({
  url,
}: {
  url: URL
}): Promise<{ data: Uint8Array; mediaType: string | undefined }> {
  const reply = await fetch(url)
  if (!reply.ok) throw new Error(`${url.pathname} answered ${reply.status}`)
  return {
    data: new Uint8Array(await reply.arrayBuffer()),
    mediaType: reply.headers.get('content-type') ?? undefined,
  }
}
