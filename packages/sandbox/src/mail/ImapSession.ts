import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { type FetchFaults, fetched, searched } from "./ImapFetch.js"
import type { ImapFolder, ImapMailbox, KeptMail } from "./ImapFolders.js"
import { decodeUtf7, encodeUtf7, inSet, listOf, makeReader, quote, said, type Token, tokensOf } from "./imapWire.js"

/** How the server behaves badly, from now on; each is off until it is set. */
export interface ImapFaults extends FetchFaults {
  /** Nobody is let in. */
  refusesLogin: boolean
  /** It says that there are too many connections. */
  isCrowded: boolean
  /** Commands that begin so are never answered. */
  stallsOn: string | null
  /** The connection is dropped where such a command comes, so many times. */
  dropsOn: { readonly command: string; times: number } | null
  /** The connection is dropped where a message itself is fetched, and not its head alone. */
  dropsOnContents: boolean
  /** The connection is dropped where anything is fetched of a message that holds this text. */
  dropsOnText: string | null
  /** It does not know IDLE. */
  hasNoIdle: boolean
}

export const noFaults = (): ImapFaults => ({
  refusesLogin: false,
  isCrowded: false,
  stallsOn: null,
  dropsOn: null,
  dropsOnContents: false,
  dropsOnText: null,
  hasNoIdle: false,
  sizeFactor: 1,
  ignoresPartial: false
})

export interface ImapHost {
  readonly faults: ImapFaults
  readonly mailbox: (user: string) => ImapMailbox | undefined
  /** To upgrade connections with; null: it knows no STARTTLS. */
  readonly certificate: { readonly key: string; readonly cert: string } | null
  readonly now: () => Date
  /** Hears every command as it came; secrets are among them. */
  readonly hear: (command: string) => void
}

/** In place of a mechanism: its credentials were refused, and the client is still to say that it has heard. */
const REFUSED = "REFUSED"

/** One connection. Its commands are answered in their order. */
export class ImapSession {
  private mailbox: ImapMailbox | null = null
  private folder: ImapFolder | null = null
  private known = 0
  private unwatch: () => void = () => undefined
  private idling: string | null = null
  private authenticating: { readonly tag: string; readonly mechanism: string } | null = null
  private stalled = false

  constructor(
    private socket: Socket,
    private readonly host: ImapHost
  ) {
    this.attach(socket)
    this.send(`* OK [CAPABILITY ${this.capabilities}] ready`)
  }

  close(): void {
    this.unwatch()
    this.socket.destroy()
  }

  private attach(socket: Socket): void {
    this.socket = socket
    // An answer of several parts does not wait for the client to confirm the first.
    socket.setNoDelay(true)
    const read = makeReader(
      () => this.send("+ go on"),
      (command, literals) => this.take(command, literals)
    )
    socket.on("data", read)
    socket.on("error", () => this.close())
    socket.on("close", () => this.unwatch())
  }

  private send(line: string | Buffer): void {
    if (!this.socket.destroyed) this.socket.write(typeof line === "string" ? `${line}\r\n` : line)
  }

  /** What others did to the open folder, told where the protocol lets a server tell it. */
  private tell(): void {
    if (this.folder === null || this.folder.mails.length === this.known) return
    this.known = this.folder.mails.length
    this.send(`* ${this.known} EXISTS`)
  }

  private take(command: string, literals: ReadonlyArray<Buffer>): void {
    if (this.stalled) return
    if (this.idling !== null) {
      const tag = this.idling
      this.idling = null
      return this.send(command.toUpperCase() === "DONE" ? `${tag} OK IDLE is over` : `${tag} BAD only DONE ends it`)
    }
    if (this.authenticating !== null) {
      const { mechanism, tag } = this.authenticating
      this.authenticating = null
      if (mechanism === REFUSED) return this.send(`${tag} NO [AUTHENTICATIONFAILED] invalid credentials`)
      return this.authenticate(tag, mechanism, command)
    }
    this.host.hear(command)
    const [tag, name, ...args] = tokensOf(command, literals)
    const verb = said(name).toUpperCase()
    const whole = verb === "UID" ? `UID ${said(args[0]).toUpperCase()}` : verb
    const { dropsOn, stallsOn } = this.host.faults
    if (stallsOn !== null && whole.startsWith(stallsOn)) {
      this.stalled = true
      return
    }
    if (dropsOn !== null && dropsOn.times > 0 && whole.startsWith(dropsOn.command)) {
      dropsOn.times -= 1
      return this.close()
    }
    this.answer(said(tag), verb, args)
  }

  private answer(tag: string, verb: string, args: ReadonlyArray<Token>): void {
    switch (verb) {
      case "CAPABILITY":
        this.send(`* CAPABILITY ${this.capabilities}`)
        return this.done(tag, verb)
      case "NOOP":
      case "CHECK":
        return this.done(tag, verb)
      case "ID":
        this.send('* ID ("name" "in-process")')
        return this.done(tag, verb)
      case "LOGOUT":
        this.send("* BYE")
        this.done(tag, verb)
        this.socket.end()
        return
      case "STARTTLS":
        return this.startTls(tag)
      case "LOGIN":
        return this.login(tag, said(args[0]), ({ password }) => password === said(args[1]))
      case "AUTHENTICATE":
        return this.beginAuthentication(tag, said(args[0]).toUpperCase(), args[1])
      default:
        if (this.mailbox === null) return this.send(`${tag} NO sign in first`)
        return this.answerSignedIn(tag, verb, args, this.mailbox)
    }
  }

  private answerSignedIn(tag: string, verb: string, args: ReadonlyArray<Token>, mailbox: ImapMailbox): void {
    switch (verb) {
      case "NAMESPACE":
        this.send('* NAMESPACE (("" "/")) NIL NIL')
        return this.done(tag, verb)
      case "LIST":
      case "LSUB":
        return this.list(tag, verb, args, mailbox)
      case "STATUS":
        return this.status(tag, said(args[0]), listOf(args[1]), mailbox)
      case "SELECT":
      case "EXAMINE":
        return this.select(tag, verb, said(args[0]), mailbox)
      case "APPEND":
        return this.append(tag, args, mailbox)
      case "IDLE":
        if (this.host.faults.hasNoIdle) return this.send(`${tag} BAD unknown command`)
        this.send("+ idling")
        this.tell()
        this.idling = tag
        return
      default:
        if (this.folder === null) return this.send(`${tag} BAD select a folder first`)
        return this.answerSelected(tag, verb, args, this.folder)
    }
  }

  private answerSelected(tag: string, verb: string, args: ReadonlyArray<Token>, folder: ImapFolder): void {
    const byUid = verb === "UID"
    const [name, rest] = byUid ? [said(args[0]).toUpperCase(), args.slice(1)] : [verb, args]
    switch (name) {
      case "FETCH":
        return this.fetch(tag, byUid, rest, folder)
      case "SEARCH":
        return this.search(tag, byUid, rest, folder)
      case "CLOSE":
      case "UNSELECT":
        this.unwatch()
        this.folder = null
        return this.done(tag, name)
      default:
        return this.send(`${tag} BAD unknown command`)
    }
  }

  private get capabilities(): string {
    const { certificate, faults } = this.host
    const upgrade = certificate !== null && !(this.socket instanceof TLSSocket) ? " STARTTLS" : ""
    const idle = faults.hasNoIdle ? "" : " IDLE"
    return `IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR ID NAMESPACE SPECIAL-USE UIDPLUS LITERAL+${idle}${upgrade}`
  }

  private done(tag: string, verb: string): void {
    this.tell()
    this.send(`${tag} OK ${verb} done`)
  }

  private startTls(tag: string): void {
    const { certificate } = this.host
    if (certificate === null) return this.send(`${tag} BAD no TLS here`)
    this.send(`${tag} OK begin`)
    const plain = this.socket
    plain.removeAllListeners("data")
    this.attach(new TLSSocket(plain, { isServer: true, ...certificate }))
  }

  private login(tag: string, user: string, knows: (mailbox: ImapMailbox) => boolean): void {
    const { faults } = this.host
    if (faults.isCrowded) return this.send(`${tag} NO [LIMIT] too many connections`)
    const mailbox = this.host.mailbox(user)
    if (faults.refusesLogin || mailbox === undefined || !knows(mailbox)) {
      return this.send(`${tag} NO [AUTHENTICATIONFAILED] invalid credentials`)
    }
    this.mailbox = mailbox
    this.send(`${tag} OK [CAPABILITY ${this.capabilities}] signed in`)
  }

  private beginAuthentication(tag: string, mechanism: string, initial: Token | undefined): void {
    if (initial !== undefined) return this.authenticate(tag, mechanism, said(initial))
    this.authenticating = { tag, mechanism }
    this.send("+ ")
  }

  private authenticate(tag: string, mechanism: string, answer: string): void {
    const text = Buffer.from(answer, "base64").toString("utf8")
    if (mechanism === "PLAIN") {
      const [, user = "", password = ""] = text.split("\0")
      return this.login(tag, user, (mailbox) => mailbox.password === password)
    }
    if (mechanism === "XOAUTH2") {
      // A refused token is answered by a challenge that says why, and that by nothing.
      const [first = "", second = ""] = text.split("\u0001")
      const [user, token] = [first.replace(/^user=/, ""), second.replace(/^auth=Bearer /, "")]
      const { faults } = this.host
      if (!faults.isCrowded && (faults.refusesLogin || this.host.mailbox(user)?.accessToken !== token)) {
        this.authenticating = { tag, mechanism: REFUSED }
        return this.send(`+ ${Buffer.from('{"status":"400","schemes":"Bearer"}').toString("base64")}`)
      }
      return this.login(tag, user, () => true)
    }
    this.send(`${tag} NO unknown mechanism`)
  }

  private list(tag: string, verb: string, args: ReadonlyArray<Token>, mailbox: ImapMailbox): void {
    const only = args[0] !== undefined && "list" in args[0]
    const pattern = decodeUtf7(said(args[only ? 2 : 1]))
    if (pattern === "") {
      this.send(`* ${verb} (\\Noselect) "/" ""`)
      return this.done(tag, verb)
    }
    const matches = new RegExp(`^${pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/[*%]/g, ".*")}$`, "i")
    for (const { path, specialUse } of mailbox.folders.values()) {
      if (!matches.test(path) || (only && specialUse === null)) continue
      const flags = ["\\HasNoChildren", ...(specialUse === null ? [] : [specialUse])]
      this.send(`* ${verb} (${flags.join(" ")}) "/" ${quote(encodeUtf7(path))}`)
    }
    this.done(tag, verb)
  }

  private status(tag: string, name: string, items: ReadonlyArray<Token>, mailbox: ImapMailbox): void {
    const folder = mailbox.folder(decodeUtf7(name))
    if (folder === undefined) return this.send(`${tag} NO [NONEXISTENT] no such folder`)
    const values: Record<string, number> = {
      MESSAGES: folder.mails.length,
      RECENT: 0,
      UIDNEXT: folder.uidNext,
      UIDVALIDITY: folder.uidValidity,
      UNSEEN: folder.mails.filter(({ flags }) => !flags.has("\\Seen")).length
    }
    const told = items.map((item) => said(item).toUpperCase()).filter((item) => item in values)
    this.send(`* STATUS ${quote(name)} (${told.map((item) => `${item} ${values[item]}`).join(" ")})`)
    this.done(tag, "STATUS")
  }

  private select(tag: string, verb: string, name: string, mailbox: ImapMailbox): void {
    this.unwatch()
    const folder = mailbox.folder(decodeUtf7(name))
    this.folder = folder ?? null
    if (folder === undefined) return this.send(`${tag} NO [NONEXISTENT] no such folder`)
    this.known = folder.mails.length
    this.unwatch = folder.watch(() => {
      if (this.idling !== null) this.tell()
    })
    this.send("* FLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft)")
    this.send(`* ${this.known} EXISTS`)
    this.send("* 0 RECENT")
    if (folder.uidValidity > 0) this.send(`* OK [UIDVALIDITY ${folder.uidValidity}] UIDs are valid`)
    this.send(`* OK [UIDNEXT ${folder.uidNext}] the next UID`)
    this.send(`${tag} OK [${verb === "SELECT" ? "READ-WRITE" : "READ-ONLY"}] ${verb} done`)
  }

  private append(tag: string, args: ReadonlyArray<Token>, mailbox: ImapMailbox): void {
    const folder = mailbox.folder(decodeUtf7(said(args[0])))
    if (folder === undefined) return this.send(`${tag} NO [TRYCREATE] no such folder`)
    const message = args.at(-1)
    if (message === undefined || !("text" in message)) return this.send(`${tag} BAD no message`)
    const flags = new Set(args[1] !== undefined && "list" in args[1] ? listOf(args[1]).map(said) : [])
    const uid = folder.add(message.text, this.host.now(), flags)
    this.tell()
    this.send(`${tag} OK [APPENDUID ${folder.uidValidity} ${uid}] kept`)
  }

  private chosen(byUid: boolean, set: string, folder: ImapFolder): ReadonlyArray<readonly [number, KeptMail]> {
    const numbered = folder.mails.map((mail, index) => [index + 1, mail] as const)
    const numbers = new Set(
      inSet(
        set,
        numbered.map(([sequence, { uid }]) => (byUid ? uid : sequence))
      )
    )
    return numbered.filter(([sequence, { uid }]) => numbers.has(byUid ? uid : sequence))
  }

  private fetch(tag: string, byUid: boolean, args: ReadonlyArray<Token>, folder: ImapFolder): void {
    const asked = listOf(args[1]).map(said)
    if (this.host.faults.dropsOnContents && asked.some((item) => /^BODY(?:\.PEEK)?\[\]/i.test(item))) {
      return this.close()
    }
    const items = byUid && !asked.some((item) => item.toUpperCase() === "UID") ? ["UID", ...asked] : asked
    const chosen = this.chosen(byUid, said(args[0]), folder)
    const { dropsOnText } = this.host.faults
    if (dropsOnText !== null && chosen.some(([, { raw }]) => raw.includes(dropsOnText))) return this.close()
    for (const [sequence, mail] of chosen) {
      const answer = fetched(sequence, mail, items, this.host.faults)
      if (answer === null) return this.send(`${tag} BAD unknown item in ${items.join(" ")}`)
      this.send(answer)
    }
    this.done(tag, "FETCH")
  }

  private search(tag: string, byUid: boolean, args: ReadonlyArray<Token>, folder: ImapFolder): void {
    const matches = searched(args, folder.mails)
    if (matches === null) return this.send(`${tag} BAD unknown search key`)
    const found = folder.mails.flatMap((mail, index) =>
      matches(mail, index + 1) ? [byUid ? mail.uid : index + 1] : []
    )
    this.send(`* SEARCH${found.map((number) => ` ${number}`).join("")}`)
    this.done(tag, "SEARCH")
  }
}
