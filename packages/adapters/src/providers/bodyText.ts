/** The complete body. Throws if it is longer than `bytesMax`, and stops reading. */
export const bodyText = async (body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`the answer is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString("utf8")
}
