/** The data of server-sent events (WHATWG HTML §9.2), as they come. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ""
  let data: Array<string> = []
  for (;;) {
    const { done, value } = await reader.read()
    text += done ? decoder.decode() : decoder.decode(value, { stream: true })
    const lines = text.split(/\r\n|\n|\r/)
    text = lines.pop() ?? ""
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5))
      if (line !== "" || data.length === 0) continue
      yield data.join("\n")
      data = []
    }
    if (done) return
  }
}
