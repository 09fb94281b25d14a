import { assert, it } from "@effect/vitest"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { SandboxLetters } from "@outbound/domain/outreach/mail/SandboxLetters.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { claimsOf, givenSending } from "@outbound/testkit/contracts/outboundFixtures.js"
import { sandboxLettersContract } from "@outbound/testkit/contracts/sandboxLetters.js"
import { Effect, Layer } from "effect"
import * as PgErasureStore from "../../src/postgres/PgErasureStore.js"
import * as PgSandboxLetters from "../../src/postgres/PgSandboxLetters.js"
import { layer } from "./stores.js"

const letters = Layer.provideMerge(Layer.merge(PgSandboxLetters.layer, PgErasureStore.layer), layer)

sandboxLettersContract("PostgreSQL", letters)

it.layer(letters, SUITE)("letters on their way (PostgreSQL)", (it) => {
  it.effect("an erased person's letters do not arrive any more; another's do", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const erasure = yield* ErasureStore
      const store = yield* SandboxLetters
      const { workspaceId } = yield* givenSending(2)
      const claims = yield* claimsOf(workspaceId)
      const ids = claims.map(({ message }) => `${message.messageId}@acme-mail.test`)
      for (const messageId of ids) {
        const letter = { workspaceId, messageId, toAddress: "jo@acme-mail.test", raw: "Hi", dueAtMillis: NOON }
        yield* store.put({ ...letter, persona: "interested" })
      }
      const { addressHash, email } = claims[0]!.lead
      yield* atomically(erasure.takeWaiting({ workspaceId, addressHash, email }, 100))
      const left = yield* store.take({ nowMillis: NOON, limit: 1_000, holdMillis: 1 })
      assert.deepStrictEqual(
        left.filter((letter) => letter.workspaceId === workspaceId).map(({ messageId }) => messageId),
        ids.slice(1)
      )
    })
  )
})
