import { assert, describe, it } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import type { WorkspaceSummary } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Option } from "effect"
import { COMMAND, oldestSandbox, startLink, welcome } from "../../src/main/FirstStart.js"

const BASE_URL = "https://outbound.test"

const greeting = (workspaces: ReadonlyArray<WorkspaceSummary>, isTerminal: boolean) =>
  Effect.gen(function* () {
    const sandbox = Option.getOrThrow(oldestSandbox(workspaces))
    const link = yield* startLink(BASE_URL, sandbox, isTerminal)
    return welcome({
      baseUrl: BASE_URL,
      place: "here",
      providers: "sandbox",
      sandbox: Option.some({ ...sandbox, link })
    })
  })

const given = Effect.gen(function* () {
  const { ownerEmail, workspaceId } = yield* makeClient()
  const sandbox: WorkspaceSummary = { workspaceId, name: "Test", kind: "sandbox", ownerEmail }
  return { sandbox, live: { ...sandbox, kind: "live" as const } }
})

describe("a start", () => {
  it.effect("prints a sign-in link on a terminal where a sandbox alone exists, and it opens that sandbox", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* given
      const words = yield* greeting([sandbox], true)
      const token = /sign-in\?token=(\S+)/.exec(words)?.[1] ?? ""
      const console = yield* Console
      const { signedIn } = Option.getOrThrow(yield* console.signIn(token))
      assert.deepStrictEqual(
        [signedIn.session.workspaceId, signedIn.session.beganBy],
        [sandbox.workspaceId, "start_link"]
      )
    }).pipe(Effect.provide(layerMemory), Effect.orDie)
  )

  it.effect("prints none where output is kept, nor beside a live workspace, but the command that makes one", () =>
    Effect.gen(function* () {
      const { live, sandbox } = yield* given
      for (const words of [yield* greeting([sandbox], false), yield* greeting([live, sandbox], true)]) {
        assert.notInclude(words, "token=")
        assert.include(
          words,
          `${COMMAND} sign-in-link --email ${sandbox.ownerEmail} --workspace ${sandbox.workspaceId}`
        )
      }
    }).pipe(Effect.provide(layerMemory), Effect.orDie)
  )

  it("shows no sandbox where every workspace is live", () => {
    const live = { workspaceId: "w", name: "Acme", kind: "live", ownerEmail: "ada@acme.test" } as const
    assert.isTrue(Option.isNone(oldestSandbox([live])))
  })
})
