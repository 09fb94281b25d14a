import { MAIL_AUTHS, MAIL_SECURITIES } from "@outbound/domain/outreach/mail/MailTransport.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type ConnectedMailbox, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Effect, Layer, Schema, SchemaTransformation, Struct } from "effect"
import { column, firstValue, rows, run } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"
import { SqlClient } from "./Sql.js"
import { booleans, columnsOf, readerOf, remove, texts, update, upsert, valuesOf } from "./Table.js"

/** What `own_mailboxes o` holds of a mailbox. */
const OwnRow = Schema.Struct({
  smtpHost: Schema.String,
  smtpPort: Schema.Int,
  smtpSecurity: Schema.Literals(MAIL_SECURITIES),
  imapHost: Schema.String,
  imapPort: Schema.Int,
  imapSecurity: Schema.Literals(MAIL_SECURITIES),
  username: Schema.String,
  auth: Schema.Literals(MAIL_AUTHS),
  sealedSecret: Schema.String,
  sentFolder: Schema.NullOr(Schema.String),
  ...booleans("keepsSent", "keepsMessageIds")
})

const PutRow = Schema.Struct({
  ...texts("workspaceId", "mailboxId"),
  ...OwnRow.mapFields(Struct.omit(["sealedSecret"])).fields
})

const ConnectedRow = Schema.Struct({ ...MailboxRow.fields, ...OwnRow.fields, skipped: Schema.Int })

const COLUMNS = `
  ${MAILBOX_COLUMNS}, ${columnsOf(OwnRow, "o", { sealedSecret: "o.secret" })}, (
    SELECT COALESCE(sum(f.skipped), 0)::integer FROM mail_folders f
    WHERE f.workspace_id = o.workspace_id AND f.mailbox_id = o.mailbox_id
  ) AS skipped
`

const JOINED = "own_mailboxes o JOIN mailboxes b ON b.workspace_id = o.workspace_id AND b.mailbox_id = o.mailbox_id"

const fromRow = (row: typeof ConnectedRow.Type): ConnectedMailbox => {
  const { auth, keepsMessageIds, keepsSent, sealedSecret, sentFolder, skipped, username, ...rest } = row
  const { imapHost, imapPort, imapSecurity, smtpHost, smtpPort, smtpSecurity, ...mailbox } = rest
  const { mailboxId, workspaceId } = mailbox
  const smtp = { host: smtpHost, port: smtpPort, security: smtpSecurity }
  const imap = { host: imapHost, port: imapPort, security: imapSecurity }
  const kept = { username, auth, sealedSecret, sentFolder, keepsSent, keepsMessageIds }
  return { mailbox, skipped, own: { workspaceId, mailboxId, smtp, imap, ...kept } }
}

/** A `bigint` read as a number: UIDs and their validity have 32 bits. */
const Counter = Schema.Union([Schema.String, Schema.BigInt, Schema.Number]).pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform<number, string | bigint | number>({ decode: Number, encode: (count) => count })
  )
)

const textOf = (row: object): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

const CursorRow = Schema.Struct({ folder: Schema.String, uidValidity: Counter, lastUid: Counter })

export const layer = Layer.effect(
  OwnMailboxStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { atomically } = yield* UnitOfWork
    const { all, columns, one } = readerOf(sql, JOINED, ConnectedRow, COLUMNS, fromRow)
    const { one: mailbox } = readerOf(sql, "mailboxes b", MailboxRow, MAILBOX_COLUMNS)
    const joined = sql.literal(JOINED)
    const read = rows("ownMailboxes.hold", ConnectedRow, fromRow)
    /** What was read of held mailboxes last, by the text of their rows: of a thousand a few change from one renewal to the next. */
    let last = new Map<string, ConnectedMailbox>()
    const knownBefore = (found: ReadonlyArray<object>) =>
      Effect.gen(function* () {
        const texts = found.map(textOf)
        const fresh = texts.flatMap((text, index) => (last.has(text) ? [] : [index]))
        const made = yield* read(Effect.succeed(fresh.map((index) => found[index])))
        const madeOf = new Map(fresh.map((index, place) => [texts[index], made[place]]))
        const all = texts.flatMap((text) => {
          const one = last.get(text) ?? madeOf.get(text)
          return one === undefined ? [] : [[text, one] as const]
        })
        last = new Map(all)
        return all.map(([, one]) => one)
      })

    return OwnMailboxStore.of({
      put: ({ imap, sealedSecret, smtp, ...own }) =>
        upsert(sql, "own_mailboxes", ["workspace_id", "mailbox_id"], {
          ...valuesOf(PutRow, {
            ...own,
            smtpHost: smtp.host,
            smtpPort: smtp.port,
            smtpSecurity: smtp.security,
            imapHost: imap.host,
            imapPort: imap.port,
            imapSecurity: imap.security
          }),
          secret: sealedSecret,
          renewed_secret: null,
          held_by: null,
          held_until: null
        }).pipe(run("ownMailboxes.put")),

      get: (workspaceId, mailboxId) => one("ownMailboxes.get")({ workspaceId, mailboxId }),

      list: (workspaceId) => all("ownMailboxes.list")(sql`o.workspace_id = ${workspaceId} ORDER BY b.address`),

      lockAddress: (workspaceId, address) =>
        mailbox("ownMailboxes.lockAddress")({ workspaceId, address, kind: "own" }, "FOR NO KEY UPDATE"),

      remove: (workspaceId, mailboxId) =>
        remove(sql, "own_mailboxes", { workspaceId, mailboxId }).pipe(run("ownMailboxes.remove")),

      renewedSecret: (workspaceId, mailboxId) =>
        sql`
          SELECT o.renewed_secret AS renewed FROM own_mailboxes o
          WHERE o.workspace_id = ${workspaceId} AND o.mailbox_id = ${mailboxId}
        `.pipe(firstValue("ownMailboxes.renewedSecret", Schema.NullOr(Schema.String), null)),

      keepRenewed: (workspaceId, mailboxId, sealedSecret) =>
        atomically(
          update(sql, "own_mailboxes", { workspaceId, mailboxId }, { renewedSecret: sealedSecret }).pipe(
            run("ownMailboxes.keepRenewed")
          )
        ),

      cursors: (workspaceId, mailboxId) =>
        sql`
          SELECT f.folder, f.uid_validity AS "uidValidity", f.last_uid AS "lastUid" FROM mail_folders f
          WHERE f.workspace_id = ${workspaceId} AND f.mailbox_id = ${mailboxId}
          ORDER BY f.folder COLLATE "C"
        `.pipe(rows("ownMailboxes.cursors", CursorRow)),

      // A removed mailbox has no cursors.
      moveCursor: (workspaceId, mailboxId, { folder, lastUid, uidValidity }, skipped) =>
        sql`
          INSERT INTO mail_folders AS f (
            workspace_id, mailbox_id, folder, uid_validity, last_uid, updated_at, skipped, skipped_at
          )
          SELECT o.workspace_id, o.mailbox_id, ${folder}, ${uidValidity}, ${lastUid}, clock_timestamp(),
            ${skipped}::bigint, CASE WHEN ${skipped}::bigint > 0 THEN clock_timestamp() END
          FROM own_mailboxes o
          WHERE o.workspace_id = ${workspaceId} AND o.mailbox_id = ${mailboxId}
          FOR KEY SHARE OF o
          ON CONFLICT (workspace_id, mailbox_id, folder) DO UPDATE SET
            last_uid = CASE
              WHEN f.uid_validity = EXCLUDED.uid_validity THEN GREATEST(f.last_uid, EXCLUDED.last_uid)
              ELSE EXCLUDED.last_uid
            END,
            uid_validity = EXCLUDED.uid_validity, updated_at = EXCLUDED.updated_at,
            skipped = f.skipped + EXCLUDED.skipped, skipped_at = COALESCE(EXCLUDED.skipped_at, f.skipped_at)
        `.pipe(run("ownMailboxes.moveCursor")),

      // Waits for this host's own rows: only its own claims lock them. Skips locked free rows. What came is read after the
      // transaction, which many rows must not keep waiting.
      hold: ({ hostId, limit, millis }) =>
        atomically(
          Effect.gen(function* () {
            const until = sql`clock_timestamp() + ${millis} * interval '1 millisecond'`
            const renewed = yield* sql`
              WITH mine AS (
                SELECT o.workspace_id, o.mailbox_id FROM ${joined}
                WHERE o.held_by = ${hostId} AND o.held_until > clock_timestamp()
                ORDER BY o.workspace_id, o.mailbox_id
                LIMIT ${limit}
                FOR NO KEY UPDATE OF o
              )
              UPDATE own_mailboxes o SET held_until = ${until} FROM mine, mailboxes b
              WHERE o.workspace_id = mine.workspace_id AND o.mailbox_id = mine.mailbox_id
                AND b.workspace_id = o.workspace_id AND b.mailbox_id = o.mailbox_id
              RETURNING ${columns}
            `.pipe(orUnavailable("ownMailboxes.hold"))
            const taken = yield* sql`
              WITH free AS (
                SELECT o.workspace_id, o.mailbox_id FROM ${joined}
                WHERE o.held_until IS NULL OR o.held_until <= clock_timestamp()
                ORDER BY o.held_until NULLS FIRST, o.workspace_id, o.mailbox_id
                LIMIT ${limit - renewed.length}
                FOR NO KEY UPDATE OF o SKIP LOCKED
              )
              UPDATE own_mailboxes o SET held_by = ${hostId}, held_until = ${until} FROM free, mailboxes b
              WHERE o.workspace_id = free.workspace_id AND o.mailbox_id = free.mailbox_id
                AND b.workspace_id = o.workspace_id AND b.mailbox_id = o.mailbox_id
              RETURNING ${columns}
            `.pipe(orUnavailable("ownMailboxes.hold"))
            return [...renewed, ...taken]
          })
        ).pipe(Effect.flatMap(knownBefore)),

      holds: (hostId, mailboxIds) =>
        sql`
          SELECT o.mailbox_id AS "mailboxId" FROM own_mailboxes o
          WHERE o.mailbox_id = ANY(${[...mailboxIds]}::uuid[]) AND o.held_by = ${hostId}
            AND o.held_until > clock_timestamp()
        `.pipe(column("ownMailboxes.holds", Schema.String)),

      release: (hostId, mailboxIds) =>
        sql`
          UPDATE own_mailboxes o SET held_until = clock_timestamp()
          WHERE o.mailbox_id = ANY(${[...mailboxIds]}::uuid[]) AND o.held_by = ${hostId}
            AND o.held_until > clock_timestamp()
        `.pipe(run("ownMailboxes.release"))
    })
  })
)
