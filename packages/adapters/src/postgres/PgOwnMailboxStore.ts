import { SqlClient } from "@effect/sql"
import { MAIL_AUTHS, MAIL_SECURITIES } from "@outbound/domain/outreach/mail/MailTransport.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type ConnectedMailbox, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Effect, Layer, Option, Schema } from "effect"
import { column, firstRow, rows, run } from "./Columns.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"

const ConnectedRow = Schema.Struct({
  ...MailboxRow.fields,
  smtpHost: Schema.String,
  smtpPort: Schema.Int,
  smtpSecurity: Schema.Literal(...MAIL_SECURITIES),
  imapHost: Schema.String,
  imapPort: Schema.Int,
  imapSecurity: Schema.Literal(...MAIL_SECURITIES),
  username: Schema.String,
  auth: Schema.Literal(...MAIL_AUTHS),
  sealedSecret: Schema.String,
  sentFolder: Schema.NullOr(Schema.String),
  keepsSent: Schema.Boolean,
  keepsMessageIds: Schema.Boolean,
  skipped: Schema.Int
})

/** The columns of `ConnectedRow` beside its mailbox's, of `own_mailboxes o`. */
const OWN_COLUMNS = `
  o.smtp_host AS "smtpHost", o.smtp_port AS "smtpPort", o.smtp_security AS "smtpSecurity", o.imap_host AS "imapHost",
  o.imap_port AS "imapPort", o.imap_security AS "imapSecurity", o.username, o.auth, o.secret AS "sealedSecret",
  o.sent_folder AS "sentFolder", o.keeps_sent AS "keepsSent", o.keeps_message_ids AS "keepsMessageIds",
  (
    SELECT COALESCE(sum(f.skipped), 0)::integer FROM mail_folders f
    WHERE f.workspace_id = o.workspace_id AND f.mailbox_id = o.mailbox_id
  ) AS skipped
`

const JOINED = "own_mailboxes o JOIN mailboxes b ON b.workspace_id = o.workspace_id AND b.mailbox_id = o.mailbox_id"

const fromRow = (row: typeof ConnectedRow.Type): ConnectedMailbox => {
  const { auth, keepsMessageIds, keepsSent, sealedSecret, sentFolder, skipped, username, ...rest } = row
  const { imapHost, imapPort, imapSecurity, smtpHost, smtpPort, smtpSecurity, ...mailbox } = rest
  return {
    mailbox,
    skipped,
    own: {
      workspaceId: mailbox.workspaceId,
      mailboxId: mailbox.mailboxId,
      smtp: { host: smtpHost, port: smtpPort, security: smtpSecurity },
      imap: { host: imapHost, port: imapPort, security: imapSecurity },
      username,
      auth,
      sealedSecret,
      sentFolder,
      keepsSent,
      keepsMessageIds
    }
  }
}

/** A `bigint` read as a number: UIDs and their validity have 32 bits. */
const Counter = Schema.transform(Schema.Union(Schema.String, Schema.BigIntFromSelf, Schema.Number), Schema.Number, {
  strict: true,
  decode: Number,
  encode: (count) => count
})

const CursorRow = Schema.Struct({ folder: Schema.String, uidValidity: Counter, lastUid: Counter })

export const layer = Layer.effect(
  OwnMailboxStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { atomically } = yield* UnitOfWork
    const columns = sql.literal(`${MAILBOX_COLUMNS}, ${OWN_COLUMNS}`)
    const joined = sql.literal(JOINED)

    return OwnMailboxStore.of({
      put: (own) => {
        const { auth, imap, keepsMessageIds, keepsSent, mailboxId, sealedSecret, sentFolder, smtp, username } = own
        return sql`
          INSERT INTO own_mailboxes (
            workspace_id, mailbox_id, smtp_host, smtp_port, smtp_security, imap_host, imap_port, imap_security,
            username, auth, secret, sent_folder, keeps_sent, keeps_message_ids
          ) VALUES (
            ${own.workspaceId}, ${mailboxId}, ${smtp.host}, ${smtp.port}, ${smtp.security}, ${imap.host},
            ${imap.port}, ${imap.security}, ${username}, ${auth}, ${sealedSecret}, ${sentFolder}, ${keepsSent},
            ${keepsMessageIds}
          )
          ON CONFLICT (workspace_id, mailbox_id) DO UPDATE SET
            smtp_host = EXCLUDED.smtp_host, smtp_port = EXCLUDED.smtp_port, smtp_security = EXCLUDED.smtp_security,
            imap_host = EXCLUDED.imap_host, imap_port = EXCLUDED.imap_port, imap_security = EXCLUDED.imap_security,
            username = EXCLUDED.username, auth = EXCLUDED.auth, secret = EXCLUDED.secret,
            sent_folder = EXCLUDED.sent_folder, keeps_sent = EXCLUDED.keeps_sent,
            keeps_message_ids = EXCLUDED.keeps_message_ids, renewed_secret = NULL, held_by = NULL, held_until = NULL
        `.pipe(run("ownMailboxes.put"))
      },

      get: (workspaceId, mailboxId) =>
        sql`
          SELECT ${columns} FROM ${joined} WHERE o.workspace_id = ${workspaceId} AND o.mailbox_id = ${mailboxId}
        `.pipe(firstRow("ownMailboxes.get", ConnectedRow), Effect.map(Option.map(fromRow))),

      list: (workspaceId) =>
        sql`
          SELECT ${columns} FROM ${joined} WHERE o.workspace_id = ${workspaceId} ORDER BY b.address
        `.pipe(
          rows("ownMailboxes.list", ConnectedRow),
          Effect.map((found) => found.map(fromRow))
        ),

      lockAddress: (workspaceId, address) =>
        sql`
          SELECT ${sql.literal(MAILBOX_COLUMNS)} FROM mailboxes b
          WHERE b.workspace_id = ${workspaceId} AND b.address = ${address} AND b.kind = 'own'
          FOR NO KEY UPDATE
        `.pipe(firstRow("ownMailboxes.lockAddress", MailboxRow)),

      remove: (workspaceId, mailboxId) =>
        sql`
          DELETE FROM own_mailboxes WHERE workspace_id = ${workspaceId} AND mailbox_id = ${mailboxId}
        `.pipe(run("ownMailboxes.remove")),

      renewedSecret: (workspaceId, mailboxId) =>
        sql`
          SELECT o.renewed_secret AS renewed FROM own_mailboxes o
          WHERE o.workspace_id = ${workspaceId} AND o.mailbox_id = ${mailboxId}
        `.pipe(
          column("ownMailboxes.renewedSecret", Schema.NullOr(Schema.String)),
          Effect.map(([renewed = null]) => renewed)
        ),

      keepRenewed: (workspaceId, mailboxId, sealedSecret) =>
        atomically(
          sql`
            UPDATE own_mailboxes SET renewed_secret = ${sealedSecret}
            WHERE workspace_id = ${workspaceId} AND mailbox_id = ${mailboxId}
          `.pipe(run("ownMailboxes.keepRenewed"))
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

      // Waits for this host's own rows: only its own claims lock them. Skips locked free rows.
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
            `.pipe(rows("ownMailboxes.hold", ConnectedRow))
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
            `.pipe(rows("ownMailboxes.hold", ConnectedRow))
            return [...renewed, ...taken].map(fromRow)
          })
        ),

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
