import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { removeDirectory } from "../../files/removeDirectory.js"
import { freePort } from "../../net/FreePorts.js"
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "../certificates.js"
import { type BedLayout, type BedPorts, maildirOf, paths, writeFiles } from "./BedLayout.js"
import { type BedServer, type BedUnavailable, dovecot, postfix, requireServers } from "./BedProcesses.js"
import { dovecotFiles } from "./dovecotFiles.js"
import { readMaildir, type StoredMail } from "./Maildir.js"
import { type BedPeople, postfixFiles } from "./postfixFiles.js"
import { sendRaw } from "./sendRaw.js"

/** Real servers with mailboxes of test domains, on loopback, with everything of theirs in one temporary directory. */
export interface MailBed {
  readonly ports: BedPorts
  /** The authority of their certificates, for `OUTBOUND_MAIL_CA`. */
  readonly authorityFile: string
  readonly smtp: BedServer
  readonly imap: BedServer
  /** What an address has got, in its inbox. */
  readonly inbox: (address: string) => ReadonlyArray<StoredMail>
  readonly sent: (address: string) => ReadonlyArray<StoredMail>
  readonly junk: (address: string) => ReadonlyArray<StoredMail>
  /** Mail from anybody to a mailbox of the bed. */
  readonly post: (mail: {
    readonly from: string
    readonly to: string
    readonly lines: ReadonlyArray<string>
  }) => Promise<void>
  /** What both servers have logged. */
  readonly logs: () => { readonly smtp: string; readonly imap: string }
  /** Forgets all numbers of the inboxes of these addresses: UIDVALIDITY changes. IMAP must be stopped. */
  readonly forgetUids: (addresses: ReadonlyArray<string>) => void
}

/** Of Debian's account that owns nothing. */
const accountOf = (name: string): { readonly uid: number; readonly gid: number } => {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

const layoutIn = (root: string): Effect.Effect<BedLayout> =>
  Effect.map(
    Effect.promise(() => Promise.all(Array.from({ length: 6 }, freePort))),
    ([smtp = 0, submission = 0, submissions = 0, imap = 0, imaps = 0, strict = 0]) => {
      const { gid: mailGid, uid: mailUid } = accountOf("nobody")
      return { root, ports: { smtp, strict, submission, submissions, imap, imaps }, mailUid, mailGid }
    }
  )

const write = (layout: BedLayout, people: BedPeople): void => {
  const at = paths(layout)
  writeFiles([
    [at.authority, people.identity?.certificate ?? TEST_AUTHORITY],
    [at.certificate, people.identity?.certificate ?? TEST_CERTIFICATE],
    [at.key, people.identity?.key ?? TEST_CERTIFICATE_KEY],
    ...postfixFiles(layout, people),
    ...dovecotFiles(layout, people)
  ])
  chmodSync(at.key, 0o600)
  const queues = accountOf("postfix")
  for (const directory of [at.mail, at.postfixQueue, join(layout.root, "postfix-data")]) mkdirSync(directory)
  chownSync(join(layout.root, "postfix-data"), queues.uid, queues.gid)
  chownSync(at.mail, layout.mailUid, layout.mailGid)
}

const running = (server: BedServer): Effect.Effect<BedServer, BedUnavailable, Scope.Scope> =>
  Effect.as(
    Effect.acquireRelease(server.start, () => server.stop),
    server
  )

/** Fails, saying why, where Postfix and Dovecot can't be run. Both end with the scope, and their directory with them. */
export const mailBed = (people: BedPeople): Effect.Effect<MailBed, BedUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    yield* requireServers
    const root = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-mail-"))),
      (directory) => Effect.sync(() => removeDirectory(directory))
    )
    // Both servers work as accounts of their own, which must be able to walk here.
    chmodSync(root, 0o755)
    const layout = yield* layoutIn(root)
    write(layout, people)
    const imap = yield* running(dovecot(layout))
    const smtp = yield* running(postfix(layout))
    return {
      ports: layout.ports,
      authorityFile: paths(layout).authority,
      smtp,
      imap,
      inbox: (address) => readMaildir(maildirOf(layout, address)),
      sent: (address) => readMaildir(join(maildirOf(layout, address), ".Sent")),
      junk: (address) => readMaildir(join(maildirOf(layout, address), ".Junk")),
      post: (mail) => sendRaw({ ...mail, port: layout.ports.smtp }),
      logs: () => {
        const { dovecotLog, postfixLog } = paths(layout)
        return { smtp: readFileSync(postfixLog, "utf8"), imap: readFileSync(dovecotLog, "utf8") }
      },
      forgetUids: (addresses) => {
        for (const directory of addresses.map((address) => maildirOf(layout, address))) {
          if (!existsSync(directory)) continue
          for (const name of readdirSync(directory).filter((one) => one.startsWith("dovecot"))) {
            rmSync(join(directory, name))
          }
        }
      }
    }
  })
