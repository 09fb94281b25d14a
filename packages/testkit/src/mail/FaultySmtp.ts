import { Effect, type Scope } from "effect"
import { createServer, type Socket } from "node:net"

/** Where in a session something goes wrong. `content`: when the first of it has come; `end`: when all of it has. */
export type SmtpMoment = "greeting" | "ehlo" | "starttls" | "auth" | "mail" | "rcpt" | "data" | "content" | "end"

/**
 * What goes wrong. `drop`: the connection is cut; `stall`: nothing is ever said again; `trickle`: an answer that never
 * ends, byte by byte; `answer`: these lines are said instead. With `after`, the connection is cut after them.
 */
export type SmtpFault =
  | { readonly at: SmtpMoment; readonly do: "drop" | "stall" | "trickle" }
  | { readonly at: SmtpMoment; readonly do: "answer"; readonly lines: string; readonly after?: "drop" }

export interface FaultySmtpOptions {
  readonly fault: SmtpFault | null
  /** How many connections meet the fault; the others find a server that works. Every one, unless said. */
  readonly connections?: number
  /** After how many messages of a connection it comes; from the beginning unless said. */
  readonly afterMessages?: number
  /** Extensions beside AUTH. */
  readonly features?: ReadonlyArray<string>
}

export interface FaultySmtp {
  readonly port: number
  /** Every command that came, in order. */
  readonly commands: () => ReadonlyArray<string>
  /** Every message of which the whole content came for somebody, answered or not: what such a server may deliver. */
  readonly messages: () => ReadonlyArray<string>
  readonly connections: () => number
  /** Cuts every connection, and says when they are gone. */
  readonly hangUp: (done: () => void) => void
}

const TRICKLE_MILLIS = 20
const CONTENT_END = "\r\n.\r\n"

/** One session of a small server that speaks SMTP without TLS, up to its fault. */
const session = (socket: Socket, log: Log, { afterMessages = 0, fault, features = [] }: FaultySmtpOptions): void => {
  let messages = 0
  let recipients = 0
  let buffer = ""
  let mode: "commands" | "password" | "content" | "silent" = "commands"
  const say = (lines: string) => void socket.write(`${lines}\r\n`)

  /** Whether the fault happened in place of what comes next. */
  const broke = (at: SmtpMoment): boolean => {
    if (fault?.at !== at || messages < afterMessages) return false
    if (fault.do === "drop") socket.destroy()
    else if (fault.do === "answer") {
      if (fault.lines !== "") say(fault.lines)
      if (fault.after === "drop") socket.end()
      mode = mode === "content" ? "commands" : mode
      return true
    } else if (fault.do === "trickle") {
      const timer = setInterval(() => void socket.write("2"), TRICKLE_MILLIS)
      socket.on("close", () => clearInterval(timer))
    }
    mode = "silent"
    return true
  }

  const answer = (line: string): void => {
    log.commands.push(line)
    const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? ""
    if (verb === "EHLO" || verb === "HELO") {
      const lines = ["mail.acme.test", ...features, "AUTH PLAIN XOAUTH2"]
      if (!broke("ehlo")) say(lines.map((text, i) => `250${i === lines.length - 1 ? " " : "-"}${text}`).join("\r\n"))
    } else if (verb === "STARTTLS") {
      if (!broke("starttls")) say("502 5.5.1 Not known here")
    } else if (verb === "AUTH") {
      if (!broke("auth")) say("235 2.7.0 Welcome")
    } else if (verb === "MAIL") {
      if (!broke("mail")) say("250 2.1.0 Ok")
    } else if (verb === "RCPT") {
      if (broke("rcpt")) return
      recipients += 1
      say("250 2.1.5 Ok")
    } else if (verb === "DATA") {
      if (broke("data")) return
      mode = "content"
      say("354 Go on")
    } else if (verb === "QUIT") {
      say("221 2.0.0 Bye")
      socket.end()
    } else say("250 2.0.0 Ok")
  }

  socket.setEncoding("utf8")
  socket.on("error", () => undefined)
  socket.on("data", (chunk: string) => {
    buffer += chunk
    for (;;) {
      if (mode === "content") {
        const end = `\r\n${buffer}`.indexOf(CONTENT_END)
        if (broke("content")) continue
        if (end === -1) return
        if (recipients > 0) log.messages.push(buffer.slice(0, Math.max(0, end - 2)).replace(/^\.\./gm, "."))
        buffer = buffer.slice(end - 2 + CONTENT_END.length)
        recipients = 0
        if (broke("end")) continue
        mode = "commands"
        messages += 1
        say("250 2.0.0 Queued")
        continue
      }
      const line = /^(.*?)\r?\n/.exec(buffer)
      if (mode === "silent" || line === null) return
      buffer = buffer.slice(line[0].length)
      answer(line[1] ?? "")
    }
  })
  if (!broke("greeting")) say("220 mail.acme.test ESMTP")
}

interface Log {
  readonly commands: Array<string>
  readonly messages: Array<string>
}

/** A mail server on loopback that does one thing wrong. */
export const faultySmtp = (options: FaultySmtpOptions): Effect.Effect<FaultySmtp, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<FaultySmtp & { readonly close: Effect.Effect<void> }>((resume) => {
      const log: Log = { commands: [], messages: [] }
      const sockets = new Set<Socket>()
      let connections = 0
      const server = createServer((socket) => {
        connections += 1
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
        const isFaulty = connections <= (options.connections ?? Number.POSITIVE_INFINITY)
        session(socket, log, isFaulty ? options : { ...options, fault: null })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("the server has no port")
        resume(
          Effect.succeed({
            port: address.port,
            commands: () => log.commands,
            messages: () => log.messages,
            connections: () => connections,
            hangUp: (done) => {
              for (const socket of sockets) socket.destroy()
              setImmediate(done)
            },
            close: Effect.callback<void>((done) => {
              for (const socket of sockets) socket.destroy()
              server.close(() => done(Effect.void))
            })
          })
        )
      })
    }),
    ({ close }) => close
  )
