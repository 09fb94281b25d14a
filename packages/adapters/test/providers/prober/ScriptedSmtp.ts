import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { Effect } from "effect"
import { createServer, type Socket } from "node:net"
import { TLSSocket } from "node:tls"

/** What a server does where a reply is due. Lines are given without their line ends. */
export type Act =
  | string
  | { readonly do: "drop" }
  | { readonly do: "stall" }
  /** The reply, a byte at a time. */
  | { readonly do: "trickle"; readonly text: string; readonly everyMillis: number }
  /** Continuation lines without end. */
  | { readonly do: "endless" }
  /** One line without end. */
  | { readonly do: "long" }
  /** The reply, and once more so much later; `again` as much later once more. */
  | { readonly do: "twice"; readonly text: string; readonly afterMillis: number; readonly again?: true }
  | { readonly do: "late"; readonly text: string; readonly afterMillis: number }
  /** The reply, and the connection is closed. */
  | { readonly do: "last"; readonly text: string }
  /** Bytes as they are. */
  | { readonly do: "raw"; readonly text: string }
  /** Agrees to TLS, and speaks none. */
  | { readonly do: "no_tls" }

export const STAGES = ["greeting", "ehlo", "starttls", "mail", "rcpt", "rset"] as const
export type Stage = (typeof STAGES)[number]

export interface Script {
  /** `open`: how many connections there are, with this one. */
  readonly greeting?: Act | ((open: number) => Act)
  /** `earlier`: how often it was said before on this connection. */
  readonly ehlo?: Act | ((earlier: number) => Act)
  readonly starttls?: Act
  /** `earlier`: how many transactions there were before on this connection. */
  readonly mail?: Act | ((earlier: number) => Act)
  /**
   * `others`: recipients that were named before this one, over all connections; `earlier`: how many of them in this
   * transaction.
   */
  readonly rcpt?: Act | ((address: string, others: ReadonlyArray<string>, earlier: number) => Act)
  readonly rset?: Act
  /** What EHLO announces. */
  readonly features?: ReadonlyArray<string>
}

/** A command, and the code that it was meant to be answered with; null: with none. */
export interface Heard {
  readonly connection: number
  readonly command: string
  readonly code: number | null
  readonly hasTls: boolean
}

export interface ScriptedSmtp {
  readonly port: number
  readonly heard: () => ReadonlyArray<Heard>
  readonly connections: () => number
  /** The most connections that there were at once. */
  readonly most: () => number
  readonly open: () => number
}

const textOf = (act: Act): string => (typeof act === "string" ? act : "text" in act ? act.text : "")

/** The code of the last line, which is what the reply says. */
const codeOf = (act: Act): number | null => {
  if (typeof act !== "string" && act.do === "raw") return null
  const code = /^(\d{3})/.exec(textOf(act).split("\n").at(-1) ?? "")?.[1]
  return code === undefined ? null : Number(code)
}

type Later = (millis: number, run: () => void) => void

/** `done`: the reply is out. One that never is holds up the rest. */
const perform = (act: Act, socket: Socket, later: Later, done: () => void = () => undefined): void => {
  const say = (text: string) => void (socket.destroyed || socket.write(`${text.replaceAll("\n", "\r\n")}\r\n`))
  const sayAll = (text: string) => {
    say(text)
    done()
  }
  if (typeof act === "string") return sayAll(act)
  switch (act.do) {
    case "drop":
      return void socket.destroy()
    case "stall":
      return
    case "trickle": {
      const bytes = [...`${act.text}\r\n`]
      const next = () => {
        const byte = bytes.shift()
        if (byte === undefined) return done()
        if (socket.destroyed) return
        socket.write(byte)
        later(act.everyMillis, next)
      }
      return next()
    }
    case "endless": {
      const more = () => {
        if (socket.destroyed) return
        socket.write("250-and so on\r\n".repeat(20))
        later(5, more)
      }
      return more()
    }
    case "long": {
      const more = () => {
        if (socket.destroyed) return
        socket.write(`250 ${"x".repeat(500)}`)
        later(5, more)
      }
      return more()
    }
    case "twice":
      sayAll(act.text)
      if (act.again === true) later(2 * act.afterMillis, () => say(act.text))
      return later(act.afterMillis, () => say(act.text))
    case "late":
      return later(act.afterMillis, () => sayAll(act.text))
    case "last":
      say(act.text)
      return void socket.end()
    case "raw":
      socket.write(act.text)
      return done()
    case "no_tls":
      return sayAll("220 2.0.0 Go on")
  }
}

/** A mail server on loopback that does as its script says, and takes everybody where it says nothing. */
export const scriptedSmtp = (script: Script, place: { readonly address?: string; readonly port?: number } = {}) =>
  Effect.acquireRelease(
    Effect.callback<ScriptedSmtp & { readonly close: Effect.Effect<void> }>((resume) => {
      const heard: Array<Heard> = []
      const recipients: Array<string> = []
      const sockets = new Set<Socket>()
      const timers = new Set<NodeJS.Timeout>()
      let connections = 0
      let most = 0
      const later = (millis: number, run: () => void) => {
        const timer = setTimeout(() => {
          timers.delete(timer)
          run()
        }, millis)
        timers.add(timer)
      }

      const serve = (plain: Socket, connection: number) => {
        let transactions = 0
        let named = 0
        let hellos = 0
        const features = script.features ?? ["PIPELINING", "8BITMIME"]
        const listen = (socket: Socket, hasTls: boolean) => {
          let buffer = ""
          /** One command after the other: what is answered late, or never, holds up the rest. */
          let isBusy = false
          const answer = (command: string, act: Act) => {
            heard.push({ connection, command, code: codeOf(act), hasTls })
            isBusy = true
            perform(act, socket, later, () => {
              isBusy = false
              read()
            })
          }
          const onLine = (line: string) => {
            const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? ""
            if (verb === "EHLO" || verb === "HELO") {
              const offered = hasTls ? features.filter((name) => name !== "STARTTLS") : features
              const lines = ["mail.test", ...offered]
              const usual = lines.map((text, at) => `250${at === lines.length - 1 ? " " : "-"}${text}`).join("\n")
              const { ehlo = usual } = script
              if (verb === "HELO") return answer(line, "250 mail.test")
              return answer(line, typeof ehlo === "function" ? ehlo(hellos++) : ehlo)
            }
            if (verb === "STARTTLS") {
              const act = script.starttls ?? "220 2.0.0 Go on"
              answer(line, act)
              if (act === "220 2.0.0 Go on") {
                socket.removeAllListeners("data")
                const secured = new TLSSocket(socket, {
                  isServer: true,
                  key: TEST_CERTIFICATE_KEY,
                  cert: TEST_CERTIFICATE
                })
                secured.on("error", () => undefined)
                listen(secured, true)
              } else if (typeof act !== "string" && act.do === "no_tls") {
                socket.removeAllListeners("data")
                socket.on("data", () => socket.write("421 what is this?\r\n"))
              }
              return
            }
            if (verb === "MAIL") {
              named = 0
              const { mail = "250 2.1.0 Ok" } = script
              return answer(line, typeof mail === "function" ? mail(transactions++) : mail)
            }
            if (verb === "RSET") return answer(line, script.rset ?? "250 2.0.0 Ok")
            if (verb === "QUIT") return answer(line, { do: "last", text: "221 2.0.0 Bye" })
            if (verb !== "RCPT") return answer(line, "500 5.5.1 Not here")
            const address = /<(.*)>/.exec(line)?.[1] ?? ""
            const { rcpt = "250 2.1.5 Ok" } = script
            const act = typeof rcpt === "function" ? rcpt(address, recipients, named++) : rcpt
            recipients.push(address)
            answer(line, act)
          }
          const read = () => {
            for (let end = buffer.indexOf("\r\n"); end !== -1 && !isBusy; end = buffer.indexOf("\r\n")) {
              const line = buffer.slice(0, end)
              buffer = buffer.slice(end + 2)
              onLine(line)
            }
          }
          socket.on("data", (chunk: Buffer) => {
            buffer += chunk.toString("utf8")
            read()
          })
        }
        listen(plain, false)
        const { greeting = "220 mail.test ESMTP" } = script
        perform(typeof greeting === "function" ? greeting(sockets.size) : greeting, plain, later)
      }

      const server = createServer((socket) => {
        connections += 1
        sockets.add(socket)
        most = Math.max(most, sockets.size)
        socket.on("error", () => undefined)
        socket.on("close", () => sockets.delete(socket))
        serve(socket, connections)
      })
      server.listen(place.port ?? 0, place.address ?? "127.0.0.1", () => {
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("the server has no port")
        resume(
          Effect.succeed({
            port: address.port,
            heard: () => heard,
            connections: () => connections,
            most: () => most,
            open: () => sockets.size,
            close: Effect.callback<void>((done) => {
              for (const timer of timers) clearTimeout(timer)
              for (const socket of sockets) socket.destroy()
              server.close(() => done(Effect.void))
            })
          })
        )
      })
    }),
    ({ close }) => close
  )
