import * as NodeCrypto from "@outbound/adapters/platform/NodeCrypto.js"
import * as PgOwnMailboxStore from "@outbound/adapters/postgres/PgOwnMailboxStore.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgSendingStore from "@outbound/adapters/postgres/PgSendingStore.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { OwnMailboxStore, sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { makeMailbox } from "@outbound/testkit/contracts/outboundFixtures.js"
import type { MailBed } from "@outbound/testkit/mail/bed/MailBed.js"
import type { BedUser } from "@outbound/testkit/mail/bed/postfixFiles.js"
import { Effect, Layer, Redacted } from "effect"
import type { Place } from "./Place.js"
import type { Tenant } from "./Tenant.js"

/** Mailboxes as they are stored once they were added: many at once, without a program's start and a test mail for each. */
export const givenMailboxes = (place: Place, bed: MailBed, { workspaceId }: Tenant, users: ReadonlyArray<BedUser>) =>
  Effect.gen(function* () {
    const { OUTBOUND_SECRET: secret = "" } = place.environment
    const pool = PgPool.layer({
      url: Redacted.make(yield* place.databaseUrl),
      applicationName: "given",
      connectionsMax: 2
    })
    const stores = Layer.mergeAll(
      PgSendingStore.layer,
      PgOwnMailboxStore.layer,
      NodeCrypto.layer(Redacted.make(secret))
    ).pipe(Layer.provideMerge(PgUnitOfWork.layer), Layer.provideMerge(pool))
    const nowMillis = Date.now()
    const { imaps, submissions } = bed.ports
    const server = (port: number) => ({ host: "localhost", port, security: "tls" as const })
    yield* Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const [sending, owns, crypto] = yield* Effect.all([SendingStore, OwnMailboxStore, Crypto])
      const mailboxes = users.map(({ address }) =>
        makeMailbox({
          workspaceId,
          address,
          domain: address.replace(/^.*@/, ""),
          kind: "own",
          operationId: null,
          upkeepPaidUntilMillis: null,
          createdAtMillis: nowMillis,
          activeAtMillis: nowMillis
        })
      )
      yield* sending.insertMailboxes(mailboxes).pipe(
        Effect.andThen(
          Effect.forEach(
            mailboxes,
            ({ address, displayName, mailboxId }, index) =>
              owns.put(
                sealAccount(crypto, {
                  workspaceId,
                  mailboxId,
                  address,
                  displayName,
                  username: address,
                  auth: "password",
                  secret: Redacted.make(users[index]?.password ?? ""),
                  smtp: server(submissions),
                  imap: server(imaps),
                  sentFolder: "Sent",
                  keepsSent: false,
                  keepsMessageIds: true
                })
              ),
            { discard: true }
          )
        ),
        atomically
      )
    }).pipe(Effect.provide(stores))
  }).pipe(Effect.scoped, Effect.orDie)
