import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The host name of the bed, and the one of its certificate. */
export const BED_HOST = "localhost"

export interface BedPorts {
  /** Where anybody's mail comes in, without a login. */
  readonly smtp: number
  /** The same, but unknown recipients are refused at once. */
  readonly strict: number
  /** Submission with STARTTLS, and with TLS from the first byte. */
  readonly submission: number
  readonly submissions: number
  /** IMAP with STARTTLS, and with TLS from the first byte. */
  readonly imap: number
  readonly imaps: number
}

/** What a bed consists of: directories under one, its ports, and whose files mail is. */
export interface BedLayout {
  readonly root: string
  readonly ports: BedPorts
  /** The account that owns delivered mail. Neither server may run as root there. */
  readonly mailUid: number
  readonly mailGid: number
}

export const paths = ({ root }: Pick<BedLayout, "root">) => ({
  certificate: join(root, "certificate.pem"),
  key: join(root, "key.pem"),
  authority: join(root, "authority.pem"),
  mail: join(root, "mail"),
  postfix: join(root, "postfix"),
  postfixQueue: join(root, "queue"),
  postfixLog: join(root, "postfix.log"),
  mailboxes: join(root, "postfix", "mailboxes"),
  senders: join(root, "postfix", "senders"),
  headerChecks: join(root, "postfix", "header_checks"),
  dovecot: join(root, "dovecot"),
  dovecotConfig: join(root, "dovecot", "dovecot.conf"),
  dovecotUsers: join(root, "dovecot", "users"),
  dovecotTokens: join(root, "dovecot", "tokens"),
  dovecotLog: join(root, "dovecot.log"),
  authSocket: join(root, "dovecot", "run", "auth-submission")
})

/** `jo@sales.test` lives in `sales.test/jo/Maildir/`, for both servers. */
export const maildirOf = (layout: Pick<BedLayout, "root">, address: string): string => {
  const [local = "", domain = ""] = address.split("@")
  return join(paths(layout).mail, domain, local, "Maildir")
}

export const writeFiles = (files: ReadonlyArray<readonly [path: string, text: string]>): void => {
  for (const [path, text] of files) {
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(path, text, { mode: 0o644 })
  }
}
