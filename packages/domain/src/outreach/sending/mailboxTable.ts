import { Redacted, Result } from "effect"
import type { Issue } from "../../kernel/errors/Wire.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { headingKey, namesEmail } from "../../kernel/tables/headings.js"
import { readTable, type TableRow } from "../../kernel/tables/Table.js"
import type { MailServer } from "../mail/MailTransport.js"
import { connectionIssues, type MailboxConnection, serverOf } from "./MailboxAdmin.js"

/** A table of own mailboxes: one row each, as other senders and mail providers export them. Pure. */

/** Most rows of a table: each is tested, for up to two minutes. */
export const MAILBOX_ROWS_MAX = 200

const FIELDS = [
  "address",
  "name",
  "first_name",
  "last_name",
  "provider",
  "smtp",
  "smtp_port",
  "smtp_user",
  "smtp_secret",
  "imap",
  "imap_port",
  "imap_user",
  "imap_secret",
  "user",
  "secret"
] as const
type Field = (typeof FIELDS)[number]

/** What columns are called. Addresses have more names, which other tables know too. */
const HEADINGS: Readonly<Record<Exclude<Field, "address">, string>> = {
  name: "name, sender name, from name, display name, full name",
  first_name: "first name, firstname, given name",
  last_name: "last name, lastname, surname, family name",
  provider: "provider, mail provider, esp, type, account type",
  smtp: "smtp, smtp host, smtp server, outgoing server, smtp hostname",
  smtp_port: "smtp port, outgoing port",
  smtp_user: "smtp username, smtp user, smtp login, smtp user name",
  smtp_secret: "smtp password, smtp pass",
  imap: "imap, imap host, imap server, incoming server, imap hostname",
  imap_port: "imap port, incoming port",
  imap_user: "imap username, imap user, imap login, imap user name",
  imap_secret: "imap password, imap pass",
  user: "username, user name, user, login",
  secret: "password, app password, secret, pass, app-password"
}

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  Object.entries(HEADINGS).flatMap(([field, names]) =>
    names.split(", ").map((name) => [headingKey(name), field as Field] as const)
  )
)

const fieldOf = (heading: string): Field | null =>
  FIELD_OF.get(headingKey(heading)) ?? (namesEmail(heading) || headingKey(heading) === "address" ? "address" : null)

/** Servers of providers that a table may name instead. */
const PROVIDERS: Readonly<Record<string, { readonly smtp: string; readonly imap: string }>> = {
  google: { smtp: "smtps://smtp.gmail.com:465", imap: "imaps://imap.gmail.com:993" },
  fastmail: { smtp: "smtps://smtp.fastmail.com:465", imap: "imaps://imap.fastmail.com:993" },
  zoho: { smtp: "smtps://smtp.zoho.com:465", imap: "imaps://imap.zoho.com:993" },
  yahoo: { smtp: "smtps://smtp.mail.yahoo.com:465", imap: "imaps://imap.mail.yahoo.com:993" },
  icloud: { smtp: "smtp+starttls://smtp.mail.me.com:587", imap: "imaps://imap.mail.me.com:993" }
}
const ALSO: Readonly<Record<string, string>> = { gmail: "google", googleworkspace: "google", gsuite: "google" }

/** A row that can't be tried: never with a secret in it. */
export interface MailboxFlaw {
  /** As its heading is written; null: the row as a whole. */
  readonly column: string | null
  /** What stands there; "" for a secret and for the row as a whole. */
  readonly value: string
  readonly reason: string
  readonly remedy: string
}

export interface MailboxRow {
  readonly line: number
  /** As written; "" where there is none. */
  readonly address: string
  /** What is tried, or why nothing is. */
  readonly read: Result.Result<MailboxConnection, MailboxFlaw>
}

export interface MailboxTable {
  /** Every row with anything in it, in the order of the table. */
  readonly rows: ReadonlyArray<MailboxRow>
  /** Lines without anything, or with the heading again. */
  readonly empty: number
  /** Columns whose heading we do not know: nothing is read from them. */
  readonly ignored: ReadonlyArray<string>
  /** Whether a line names columns that we know. Without it nothing can be read. */
  readonly hasHeading: boolean
}

type Read<A> = Result.Result<A, MailboxFlaw>

interface Cells {
  /** A cell without what spreadsheets do to it. */
  readonly at: (field: Field) => string
  /** A secret exactly as written. */
  readonly secret: (field: "imap_secret" | "secret" | "smtp_secret") => string
  /** What the column of a field is called here. */
  readonly column: (field: Field) => string
  /** Whether the row has as many cells as the heading. Otherwise a secret may stand in any of them, so none is shown. */
  readonly isWhole: boolean
}

const flaw = (cells: Cells, field: Field, reason: string, remedy: string): Result.Result<never, MailboxFlaw> =>
  Result.fail({
    column: cells.column(field),
    value: field.endsWith("secret") || !cells.isWhole ? "" : cells.at(field),
    reason,
    remedy
  })

/** Whether the server speaks TLS from the start, by its port. */
const SCHEMES = {
  smtp: { usual: 465, tls: [465], starttls: [587, 25, 2525] },
  imap: { usual: 993, tls: [993], starttls: [143] }
} as const

const server = (cells: Cells, side: "imap" | "smtp"): Read<MailServer> => {
  const given = cells.at(side)
  const named = cells.at("provider")
  const key = headingKey(named)
  const provider = PROVIDERS[ALSO[key] ?? key]
  if (given === "" && provider !== undefined) return Result.succeed(serverOf(side, provider[side]) as MailServer)
  if (given === "") {
    return named === ""
      ? flaw(
          cells,
          side,
          "names no server",
          `Add a column ${side}_host, or provider (${Object.keys(PROVIDERS).join(", ")}).`
        )
      : flaw(
          cells,
          "provider",
          "is no provider that takes passwords from programs",
          `Use ${Object.keys(PROVIDERS).join(", ")}, or name the servers in smtp_host and imap_host. Mailboxes at Microsoft are connected in the console.`
        )
  }
  const address = given.includes("://") ? serverOf(side, given) : null
  if (address !== null) return Result.succeed(address)
  const { starttls, tls, usual } = SCHEMES[side]
  const text = cells.at(`${side}_port`)
  const port = text === "" ? usual : /^\d{1,5}(?:\.0)?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  const ports: ReadonlyArray<number> = [...tls, ...starttls]
  if (!ports.includes(port)) {
    return flaw(
      cells,
      `${side}_port`,
      "is no port that we know",
      `Use ${ports.join(", ")}, or write the server as ${side}s://host:port or ${side}+starttls://host:port.`
    )
  }
  const scheme = (tls as ReadonlyArray<number>).includes(port) ? `${side}s` : `${side}+starttls`
  const found = serverOf(side, `${scheme}://${given}:${port}`)
  return found === null
    ? flaw(cells, side, "is no host name", `Write it as ${side}.example.com.`)
    : Result.succeed(found)
}

/** The one value of columns that mean the same for both servers. */
const oneOf = <F extends Field>(
  values: ReadonlyArray<readonly [F, string]>,
  differs: (field: F) => Result.Result<never, MailboxFlaw>
): Read<string> => {
  const given = values.filter(([, value]) => value !== "")
  const other = given.find(([, value]) => value !== given[0]?.[1])
  return other === undefined ? Result.succeed(given[0]?.[1] ?? "") : differs(other[0])
}

/** The field of our own column that an issue is about. */
const FIELD_OF_ISSUE: Readonly<Record<string, Field>> = {
  address: "address",
  name: "name",
  smtp: "smtp",
  imap: "imap",
  username: "user",
  secret: "secret"
}

const ofIssue = (cells: Cells, { message, path }: Issue): Result.Result<never, MailboxFlaw> =>
  flaw(cells, FIELD_OF_ISSUE[path] ?? "address", message, "Correct it and bring the row again.")

const connectionOf = (cells: Cells): Read<MailboxConnection> =>
  Result.gen(function* () {
    const address = usableEmail(cells.at("address"))
    if (address === null) {
      return yield* flaw(
        cells,
        "address",
        "is no email address",
        "Enter the mailbox's address, such as jo@acme.example."
      )
    }
    const names = [cells.at("first_name"), cells.at("last_name")].filter((part) => part !== "").join(" ")
    const displayName = cells.at("name") || names
    if (displayName === "") {
      return yield* flaw(
        cells,
        "name",
        "is empty",
        "Enter the sender's name, in a column name, or first_name and last_name."
      )
    }
    const secret = yield* oneOf(
      (["secret", "smtp_secret", "imap_secret"] as const).map((field) => [field, cells.secret(field)] as const),
      (field) =>
        flaw(cells, field, "differs from the other password", "Add this mailbox by itself: one password is possible.")
    )
    if (secret === "") {
      return yield* flaw(cells, "secret", "is empty", "Enter the password or app password, in a column password.")
    }
    const username = yield* oneOf(
      (["user", "smtp_user", "imap_user"] as const).map((field) => [field, cells.at(field)] as const),
      (field) =>
        flaw(cells, field, "differs from the other user name", "Add this mailbox by itself: one user name is possible.")
    )
    const connection: MailboxConnection = {
      address,
      displayName,
      smtp: yield* server(cells, "smtp"),
      imap: yield* server(cells, "imap"),
      username: username === "" ? address : username,
      auth: "password",
      secret: Redacted.make(secret),
      dkimSelectors: []
    }
    const [issue] = connectionIssues(connection, false)
    return issue === undefined ? connection : yield* ofIssue(cells, issue)
  })

/** Every row of a table, each with what is tried or why nothing is. A second row of one mailbox is not tried. */
export const readMailboxTable = (text: string): MailboxTable => {
  const { head, rows } = readTable(text, { isHeading: (cell) => fieldOf(cell) !== null })
  const columnOf = new Map<Field, number>()
  const ignored: Array<string> = []
  for (const [index, name] of head.columns.entries()) {
    const field = head.headingLine === null ? null : fieldOf(name)
    if (field === null || columnOf.has(field)) ignored.push(name)
    else columnOf.set(field, index)
  }
  const cellsOf = (row: TableRow): Cells => {
    const cell = (of: ReadonlyArray<string>, field: Field) => of[columnOf.get(field) ?? -1] ?? ""
    return {
      at: (field) => cell(row.cells, field).trim(),
      secret: (field) => cell(row.written, field),
      column: (field) => head.columns[columnOf.get(field) ?? -1] ?? field,
      isWhole: row.width === head.columns.length
    }
  }
  const read: Array<MailboxRow> = []
  const lines = new Map<string, number>()
  let empty = 0
  const whole = (line: number, address: string, reason: string, remedy: string) =>
    read.push({ line, address, read: Result.fail({ column: null, value: "", reason, remedy }) })
  for (const row of rows) {
    const { flaw: broken, kind, line } = row
    if (kind === "empty" || kind === "heading") {
      empty += 1
      continue
    }
    if (broken !== null) {
      whole(line, "", broken.what, broken.mend)
      continue
    }
    const cells = cellsOf(row)
    const written = cells.at("address").slice(0, 254)
    const address = cells.isWhole || usableEmail(written) !== null ? written : ""
    if (row.width > head.columns.length) {
      const cellsWords = `has ${row.width} cells, but the heading has ${head.columns.length}`
      whole(line, address, cellsWords, "Put cells that hold the delimiter into double quotes.")
      continue
    }
    const connection = connectionOf(cells)
    const key = Result.isSuccess(connection) ? connection.success.address : null
    const earlier = key === null ? undefined : lines.get(key)
    if (earlier !== undefined) {
      whole(
        line,
        address,
        `is the same mailbox as line ${earlier}`,
        "Nothing, or bring this row by itself to replace that one."
      )
    } else if (lines.size >= MAILBOX_ROWS_MAX && key !== null) {
      whole(line, address, `is beyond the ${MAILBOX_ROWS_MAX} mailboxes of a table`, "Bring it in a second table.")
    } else {
      if (key !== null) lines.set(key, line)
      read.push({ line, address, read: connection })
    }
  }
  return { rows: read, empty, ignored: columnOf.size === 0 ? [] : ignored, hasHeading: columnOf.size > 0 }
}
