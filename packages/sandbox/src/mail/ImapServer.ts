import { Effect, type Scope } from "effect"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { ImapMailbox, USUAL_FOLDERS } from "./ImapFolders.js"
import { type ImapFaults, ImapSession, noFaults } from "./ImapSession.js"

export interface ImapServerOptions {
  /** In PEM. Without them the server speaks in the clear. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** From the first byte, or after STARTTLS. */
  readonly security?: "tls" | "starttls"
  readonly now?: () => Date
  /** Whether it keeps what it heard, for tests to look at: yes, unless it is said otherwise. */
  readonly remembers?: boolean
}

/** An IMAP4rev1 server within this process, on a free port of the loopback. It behaves as badly as it is told. */
export interface ImapServer {
  readonly port: number
  readonly faults: ImapFaults
  /** Every command that came, in their order, made-up secrets among them; none where it does not remember. */
  readonly heard: ReadonlyArray<string>
  readonly connections: () => number
  readonly mailboxes: ReadonlyMap<string, ImapMailbox>
  readonly addMailbox: (
    user: string,
    password: string,
    folders?: ReadonlyArray<readonly [path: string, specialUse: string | null]>
  ) => ImapMailbox
  /** Drops every connection. */
  readonly drop: Effect.Effect<void>
  /** Drops every connection and takes none until `start`; what it keeps stays. */
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

/** The access token that a mailbox takes beside its password. */
export const accessTokenOf = (user: string): string => `token-of-${user}`

const listen = (server: Server, port: number): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

export const makeImapServer = (options: ImapServerOptions = {}): Effect.Effect<ImapServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { certificate = null, now = () => new Date(), remembers = true, security } = options
    const faults = noFaults()
    const heard: Array<string> = []
    const mailboxes = new Map<string, ImapMailbox>()
    const sessions = new Set<ImapSession>()
    const host = {
      faults,
      hear: (command: string) => void (remembers && heard.push(command)),
      now,
      mailbox: (user: string) => mailboxes.get(user.toLowerCase()),
      certificate: security === "starttls" ? certificate : null
    }

    const accept = (socket: Socket): void => {
      const session = new ImapSession(socket, host)
      sessions.add(session)
      socket.on("close", () => sessions.delete(session))
    }
    const make = (): Server =>
      certificate !== null && security === "tls" ? createTlsServer({ ...certificate }, accept) : createServer(accept)

    const drop = Effect.sync(() => {
      for (const session of sessions) session.close()
      sessions.clear()
    })
    let server = make()
    const stop = Effect.andThen(
      drop,
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
    )
    const port = yield* Effect.acquireRelease(listen(server, 0), () => stop)

    return {
      port,
      faults,
      heard,
      mailboxes,
      connections: () => sessions.size,
      addMailbox: (user, password, folders = USUAL_FOLDERS) => {
        const mailbox = new ImapMailbox(user, password, accessTokenOf(user), folders)
        mailboxes.set(user.toLowerCase(), mailbox)
        return mailbox
      },
      drop,
      stop,
      start: Effect.suspend(() => {
        server = make()
        return Effect.asVoid(listen(server, port))
      })
    }
  })
