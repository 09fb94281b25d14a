/** The complete body; null if it is longer than `bytesMax`, and then it stops reading, which aborts the response. */
export const textWithin = async (body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | null> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString("utf8")
}
