import { connect } from "node:net"

const ANSWER_MILLIS_MAX = 60_000

/** Hands a message to a server as another server would: without a login, its lines as they are. */
export const sendRaw = (options: {
  readonly port: number
  /** Empty: a notice, which nobody is told of when it fails. */
  readonly from: string
  readonly to: string
  readonly lines: ReadonlyArray<string>
}): Promise<void> =>
  new Promise((resolve, reject) => {
    const stuffed = options.lines.map((line) => (line.startsWith(".") ? `.${line}` : line)).join("\r\n")
    const commands = [
      "EHLO elsewhere.test\r\n",
      `MAIL FROM:<${options.from}>\r\n`,
      `RCPT TO:<${options.to}>\r\n`,
      "DATA\r\n",
      `${stuffed}\r\n.\r\n`,
      "QUIT\r\n"
    ]
    const socket = connect({ host: "127.0.0.1", port: options.port })
    socket.setEncoding("utf8").setTimeout(ANSWER_MILLIS_MAX, () => socket.destroy(new Error("no answer")))
    let heard = ""
    const answered = (answer: string) => {
      if (!/^[23]/.test(answer)) return socket.destroy(new Error(`the server said: ${answer}`))
      const next = commands.shift()
      if (next === undefined) return socket.end(resolve)
      socket.write(next)
    }
    socket.on("data", (text: string) => {
      heard += text
      for (let end = /^\d{3} .*\r\n/m.exec(heard); end !== null; end = /^\d{3} .*\r\n/m.exec(heard)) {
        heard = heard.slice(end.index + end[0].length)
        answered(end[0])
      }
    })
    socket.once("error", reject)
  })
