import { assert, it } from "@effect/vitest"
import { OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { openUrl, sealUrl } from "@outbound/domain/control/notices/Notices.js"
import { Crypto, type SealPurpose } from "@outbound/domain/kernel/ports/Crypto.js"
import { sealZoneSecret } from "@outbound/domain/outreach/domains/domainJob.js"
import { sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { sealKept } from "@outbound/domain/sources/SourceAccessFactory.js"
import { openOwnKey, sealOwnKey } from "@outbound/domain/sources/ownKeys/secret.js"
import { Effect, Exit, Layer, Redacted } from "effect"
import { hkdfSync } from "node:crypto"
import { carriedFrom, type Keyring, keyringOf } from "../../src/platform/Keyring.js"
import { cryptoOf, openCarried } from "../../src/platform/NodeCrypto.js"
import { rotateSecret } from "../../src/postgres/secretRotation/rotateSecret.js"
import { SEALED } from "../../src/postgres/secretRotation/sealedColumns.js"
import { assertSecretFingerprint, type SecretState } from "../../src/postgres/SecretFingerprint.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { migratedDatabase } from "../support/TestDatabase.js"
import { poolTo } from "./stores.js"

const [OLD, NEW, NEXT] = ["the old secret", "the new secret", "the next one"].map((text) => Redacted.make(text)) as [
  Redacted.Redacted,
  Redacted.Redacted,
  Redacted.Redacted
]

const fingerprint = (secret: Redacted.Redacted): string =>
  Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "test", 32)).toString("hex")

const rotation = (before: Redacted.Redacted, secret: Redacted.Redacted) => ({
  before,
  secret,
  fingerprints: { before: fingerprint(before), secret: fingerprint(secret) }
})

const W = "018f0000-0000-7000-8000-000000000001"
const ID = "018f0000-0000-7000-8000-000000000002"
/** Possible as a password, a key and an address. */
const TEXT = "https://hooks.slack.com/services/T0/B0/abcdefghijklmnop"
const LATER = { workspaceId: W, source: "s", subjectHash: "h" }

/** A value of each kind, sealed by the domain's own functions. */
const sealed = (crypto: Crypto["Service"], text: string) => ({
  mailbox: sealAccount(crypto, {
    workspaceId: W,
    mailboxId: ID,
    secret: Redacted.make(text)
  } as Parameters<typeof sealAccount>[1]).sealedSecret,
  webhook: crypto.seal("webhook_secret", text, `${W}/${ID}`),
  ownKey: sealOwnKey(crypto, { workspaceId: W, vendor: "v" }, text),
  request: sealKept(crypto, "request", LATER, { text }),
  answer: sealKept(crypto, "answer", { ...LATER, subjectHash: "i" }, { text }),
  chat: sealUrl(crypto, W, "slack", text),
  crm: crypto.seal("crm_key", text, `${W}/hubspot`),
  zone: sealZoneSecret(crypto, { workspaceId: W, domainId: ID } as Parameters<typeof sealZoneSecret>[1], {
    vendor: "cloudflare",
    secret: text
  })
})

/** Rows without what they refer to: only what is sealed matters here. */
const filled = (crypto: Crypto["Service"]) => {
  const [one, other] = [sealed(crypto, TEXT), sealed(crypto, `${TEXT}-other`)]
  return [
    `DO $$ DECLARE f record; BEGIN
       FOR f IN SELECT conrelid::regclass AS of, conname FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 LOOP
         EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', f.of, f.conname);
       END LOOP; END $$`,
    `INSERT INTO own_mailboxes (workspace_id, mailbox_id, smtp_host, smtp_port, smtp_security, imap_host, imap_port,
       imap_security, username, auth, secret, renewed_secret, keeps_sent, keeps_message_ids)
     VALUES ('${W}', '${ID}', 'h', 1, 'tls', 'h', 1, 'tls', 'u', 'password', '${one.mailbox}', '${other.mailbox}', true, true)`,
    `INSERT INTO webhook_endpoints (workspace_id, endpoint_id, url, kinds, state, sealed_secret, previous_secret,
       previous_until, created_at, rests_until)
     VALUES ('${W}', '${ID}', 'u', '{}', 'enabled', '${one.webhook}', '${other.webhook}', now(), now(), now())`,
    `INSERT INTO own_keys (workspace_id, vendor, sealed_secret, last4, added_by, added_at)
     VALUES ('${W}', 'v', '${one.ownKey}', 'abcd', 'x', now()), ('${W}', 'w', 'v1.not.of.us', 'abcd', 'x', now())`,
    `INSERT INTO follow_ups (workspace_id, follow_up_id, source, subject_hash, sealed, address_hashes, due_at, keep_until)
     VALUES ('${W}', gen_random_uuid(), 's', 'h', '${one.request}', '{}', now(), now()),
       ('${W}', gen_random_uuid(), 's', 'i', '${one.answer}', '{}', now(), now())`,
    `INSERT INTO chat_channels (workspace_id, kind, sealed_url, host, set_at) VALUES ('${W}', 'slack', '${one.chat}', 'h', now())`,
    `INSERT INTO crm_connections (workspace_id, connection_id, vendor, sealed_secret, last4, added_by, added_at,
       keeps_customers, keeps_open_deals, keeps_owned, writes_replies, writes_meetings, creates_contacts, generation, failures, pause_millis)
     VALUES ('${W}', '${ID}', 'hubspot', '${one.crm}', 'abcd', 'x', now(), true, true, true, true, true, true, 0, 0, 0)`,
    `INSERT INTO sending_domains (workspace_id, domain_id, domain, wishes, state, since, zone_vendor, zone_secret,
       zone_last4, zone_added_by, created_at)
     VALUES ('${W}', '${ID}', 'd.test', '{}', 'open', now(), 'cloudflare', '${one.zone}', 'abcd', 'x', now())`
  ].join(";\n")
}

const database = Effect.gen(function* () {
  const { url } = yield* migratedDatabase
  const pool = yield* Layer.build(poolTo(url))
  const on = <A, E>(work: Effect.Effect<A, E, SqlClient>) => Effect.provide(work, pool)
  const sql = <A extends object = object>(statement: string) =>
    on(Effect.flatMap(SqlClient, (client) => client.unsafe<A>(statement)))
  yield* on(assertSecretFingerprint(fingerprint(OLD)))
  yield* sql(filled(cryptoOf(keyringOf(OLD))))
  const starts = (secret: Redacted.Redacted, before: Redacted.Redacted | null = null) =>
    on(assertSecretFingerprint(fingerprint(secret), before === null ? null : fingerprint(before)))
  return { url: Redacted.make(url), sql, starts }
})

type Database = Effect.Success<typeof database>

/** How many stored values these keys open, of each kind. */
const opened = ({ sql }: Database, keyring: Keyring) =>
  Effect.gen(function* () {
    const crypto = cryptoOf(keyring)
    let found = 0
    for (const [purpose, { boundTo, columns, table }] of Object.entries(SEALED)) {
      for (const { row } of yield* sql<{ row: Record<string, string | null> }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t`
      )) {
        const bounds = boundTo.map((bound) => bound(row))
        const texts = columns.map((column) => row[column]).filter((text) => typeof text === "string")
        found += texts.filter((text) =>
          bounds.some((bound) => crypto.open(purpose as SealPurpose, text, bound) !== null)
        ).length
      }
    }
    return found
  })

/** All but the one that nobody sealed. */
const ALL = 10

const HASHED = ["suppression", "unsubscribe", "mail_mark", "content", "person", "request", "session"] as const

const carriedOf = (secret: Redacted.Redacted, { carriedKeys }: SecretState) =>
  carriedKeys === null ? null : openCarried(secret, carriedKeys)

it.live("a rotation seals every value anew, and keeps the keys of what can't be made again", () =>
  Effect.gen(function* () {
    const made = yield* database
    const { sql, starts, url } = made
    assert.strictEqual(yield* opened(made, keyringOf(OLD)), ALL)
    const report = yield* rotateSecret(url, rotation(OLD, NEW))
    assert.isFalse(report.wasFinished)
    assert.strictEqual(
      report.resealed.reduce((sum, { resealed }) => sum + resealed, 0),
      ALL
    )
    assert.deepStrictEqual(
      report.resealed.filter(({ unreadable }) => unreadable > 0).map(({ table, unreadable }) => [table, unreadable]),
      [["own_keys", 1]]
    )
    assert.strictEqual(yield* opened(made, keyringOf(OLD)), 0)
    const state = yield* starts(NEW)
    const keyring = { ...keyringOf(NEW), carried: carriedOf(NEW, state) }
    assert.strictEqual(yield* opened(made, keyring), ALL)
    const [before, after, alone] = [cryptoOf(keyringOf(OLD)), cryptoOf(keyring), cryptoOf(keyringOf(NEW))]
    for (const purpose of HASHED) {
      assert.strictEqual(after.mac(purpose, "x"), before.mac(purpose, "x"))
      assert.notStrictEqual(alone.mac(purpose, "x"), before.mac(purpose, "x"))
    }
    for (const purpose of ["cursor", "mcp", "refresh"] as const) {
      assert.notStrictEqual(after.mac(purpose, "x"), before.mac(purpose, "x"))
    }
    // The domain's own functions open what was sealed anew.
    const [row] = yield* sql<{ url: string; key: string }>(
      "SELECT sealed_url AS url, (SELECT sealed_secret FROM own_keys WHERE vendor = 'v') AS key FROM chat_channels"
    )
    assert.isNotNull(openUrl(after, W, "slack", row?.url ?? ""))
    const key = { workspaceId: W, vendor: "v", sealedSecret: row?.key ?? "" } as Parameters<typeof openOwnKey>[1]
    assert.isNotNull(openOwnKey(after, key))
    // The old secret is of no use any more, also beside the new one.
    for (const start of [starts(OLD), starts(OLD, NEW)]) {
      assert.strictEqual((yield* Effect.flip(start))._tag, "SecretMismatch")
    }
    yield* starts(NEW, OLD)
  })
)

it.live("the keys of the first secret outlive a second rotation too", () =>
  Effect.gen(function* () {
    const made = yield* database
    yield* rotateSecret(made.url, rotation(OLD, NEW))
    yield* rotateSecret(made.url, rotation(NEW, NEXT))
    const state = yield* made.starts(NEXT)
    assert.strictEqual(state.carriedFingerprint, fingerprint(OLD))
    const keyring = { ...keyringOf(NEXT), carried: carriedOf(NEXT, state) }
    assert.strictEqual(yield* opened(made, keyring), ALL)
    assert.strictEqual(cryptoOf(keyring).mac("suppression", "x"), cryptoOf(keyringOf(OLD)).mac("suppression", "x"))
  })
)

it.live("one that dies in the middle goes on: meanwhile a program needs both secrets, and opens everything", () =>
  Effect.gen(function* () {
    const made = yield* database
    const { sql, starts, url } = made
    yield* sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the power fails'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON crm_connections FOR EACH ROW EXECUTE FUNCTION refuse()`)
    assert.isTrue(Exit.isFailure(yield* Effect.exit(rotateSecret(url, rotation(OLD, NEW)))))
    for (const start of [starts(OLD), starts(NEW), starts(NEXT, OLD), starts(OLD, NEW)]) {
      assert.strictEqual((yield* Effect.flip(start))._tag, "SecretMismatch")
    }
    yield* starts(NEW, OLD)
    const both = { secret: NEW, before: OLD, carried: carriedFrom(OLD) }
    assert.strictEqual(yield* opened(made, both), ALL)
    assert.isTrue((yield* opened(made, keyringOf(OLD))) > 0)
    // A host that runs with both does not stop it from going on.
    yield* sql("INSERT INTO hosts (incarnation, heartbeat_at) VALUES (gen_random_uuid(), clock_timestamp())")
    yield* sql("DROP TRIGGER refuse ON crm_connections")
    yield* rotateSecret(url, rotation(OLD, NEW))
    assert.strictEqual(yield* opened(made, keyringOf(NEW)), ALL)
    yield* starts(NEW)
    // A value that a late program sealed under the old secret is found by running it again.
    const late = sealOwnKey(cryptoOf(keyringOf(OLD)), { workspaceId: W, vendor: "w" }, "late")
    yield* sql(`UPDATE own_keys SET sealed_secret = '${late}' WHERE vendor = 'w'`)
    const again = yield* rotateSecret(url, rotation(OLD, NEW))
    assert.isTrue(again.wasFinished)
    assert.strictEqual(yield* opened(made, keyringOf(NEW)), ALL + 1)
  })
)

it.live("it begins only where no host runs, and to one secret at a time", () =>
  Effect.gen(function* () {
    const { sql, starts, url } = yield* database
    yield* sql("INSERT INTO hosts (incarnation, heartbeat_at) VALUES (gen_random_uuid(), clock_timestamp())")
    assert.match((yield* Effect.flip(rotateSecret(url, rotation(OLD, NEW)))).message, /runs on this database/)
    yield* starts(OLD)
    yield* sql(`DELETE FROM hosts WHERE incarnation <> '${OPERATIONS_HOST}'`)
    const wrong = yield* Effect.flip(rotateSecret(url, rotation(NEXT, NEW)))
    assert.match(wrong.message, /not the one/)
    yield* starts(OLD)
    const both = yield* Effect.all([rotateSecret(url, rotation(OLD, NEW)), rotateSecret(url, rotation(OLD, NEW))], {
      concurrency: "unbounded"
    })
    assert.strictEqual(
      both.flatMap(({ resealed }) => resealed).reduce((sum, { resealed }) => sum + resealed, 0),
      ALL
    )
    yield* starts(NEW)
  })
)
