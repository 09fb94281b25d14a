import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { PostmasterStore } from "@outbound/domain/wings/postmaster/PostmasterStore.js"
import { Clock, Effect, Option } from "effect"
import { Desk } from "../../support/Desk.js"
import { run, visitor } from "../../support/Visitor.js"
import { furnishPostmaster } from "./furnishPostmaster.js"

const PATH = "/console/settings/postmaster"
const REGISTER = "the operator of this service has to register a client"

it.live("asks the operator for a client only where somebody wants to connect", () =>
  run(
    Effect.gen(function* () {
      const { ours, theirs } = yield* Desk
      const store = yield* PostmasterStore
      const { atomically } = yield* UnitOfWork
      const now = yield* Clock.currentTimeMillis
      yield* furnishPostmaster(ours, now)
      const us = yield* visitor(ours)
      assert.include((yield* (yield* visitor(theirs)).get(PATH)).text, `To connect, ${REGISTER}`)
      const connected = (yield* us.get(PATH)).text
      assert.include(connected, ">Connected<")
      assert.notInclude(connected, REGISTER)
      const connection = Option.getOrThrow(yield* store.get(ours.workspaceId))
      yield* atomically(store.put({ ...connection, refusedAtMillis: now }))
      assert.include((yield* us.get(PATH)).text, `To connect again, ${REGISTER}`)
    })
  )
)
