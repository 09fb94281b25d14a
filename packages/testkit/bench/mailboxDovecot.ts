/** Dovecot with many mailboxes, in the clear on the loopback, for the bench of many mailboxes. */
import { type BedLayout, maildirOf, paths, writeFiles } from "@outbound/testkit/mail/bed/BedLayout.js"
import { dovecot, requireServers } from "@outbound/testkit/mail/bed/BedProcesses.js"
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Linux gives an account 128 instances of inotify: for the other mailboxes Dovecot looks into the folder so often. */
const IDLE_LOOK_SECONDS = 2

const config = (layout: BedLayout, mailboxes: number): string => {
  const at = paths(layout)
  return `protocols = imap
base_dir = ${join(at.dovecot, "run")}
state_dir = ${join(at.dovecot, "state")}
log_path = ${at.dovecotLog}
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
first_valid_uid = 1
default_client_limit = ${mailboxes * 3 + 1_000}
mailbox_idle_check_interval = ${IDLE_LOOK_SECONDS} secs
mail_location = maildir:~/Maildir
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${at.dovecotUsers}
}
userdb {
  driver = static
  args = uid=${layout.mailUid} gid=${layout.mailGid} home=${join(at.mail, "%d", "%n")}
}
namespace inbox {
  inbox = yes
  mailbox Junk {
    auto = subscribe
    special_use = \\Junk
  }
  mailbox Sent {
    auto = subscribe
    special_use = \\Sent
  }
}
service imap-login {
  service_count = 0
  process_min_avail = 1
  client_limit = ${mailboxes + 1_000}
  inet_listener imap {
    port = ${layout.ports.imap}
  }
  inet_listener imaps {
    port = ${layout.ports.imaps}
    ssl = no
  }
}
service imap {
  process_limit = ${mailboxes + 200}
  service_count = 200
}
`
}

const idOf = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))

/** How many processes of this name a process has begun. */
const begunBy = (parent: number, name: string): number =>
  readdirSync("/proc").filter((pid) => {
    try {
      const [, comm, rest = ""] = /^\d+ \((.*)\) \S (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? []
      return comm === name && Number(rest.split(" ", 1)[0]) === parent
    } catch {
      return false
    }
  }).length

export interface ManyMailboxes {
  readonly port: number
  /** Signed in: each has a process of its own. */
  readonly connections: () => number
  readonly deliver: (address: string, raw: Buffer) => void
}

/** Ends with the scope. */
export const makeDovecot = (addresses: ReadonlyArray<string>, password: string) =>
  Effect.gen(function* () {
    yield* requireServers
    const [mailUid, mailGid] = [idOf("-u"), idOf("-g")]
    const root = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "outbound-dovecot-"))),
      (directory) => Effect.sync(() => removeDirectory(directory))
    )
    chmodSync(root, 0o755)
    const [imap, imaps] = yield* Effect.promise(() => Promise.all([freePort(), freePort()]))
    const ports = { smtp: 0, strict: 0, submission: 0, submissions: 0, imap, imaps }
    const layout: BedLayout = { root, ports, mailUid, mailGid }
    const at = paths(layout)
    writeFiles([
      [at.dovecotConfig, config(layout, addresses.length)],
      [at.dovecotUsers, addresses.map((address) => `${address}:${password}\n`).join("")]
    ])
    mkdirSync(at.mail)
    chownSync(at.mail, mailUid, mailGid)
    const server = dovecot(layout)
    yield* Effect.acquireRelease(server.start, () => server.stop)
    let delivered = 0
    return {
      port: imap,
      connections: () => begunBy(Number(readFileSync(join(at.dovecot, "run", "master.pid"), "utf8")), "imap"),
      deliver: (address, raw) => {
        delivered += 1
        const name = `${Date.now()}.${delivered}.bench`
        const maildir = maildirOf(layout, address)
        const written = join(maildir, "tmp", name)
        writeFileSync(written, raw)
        chownSync(written, mailUid, mailGid)
        renameSync(written, join(maildir, "new", name))
      }
    } satisfies ManyMailboxes
  })
