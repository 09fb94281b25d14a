import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { Effect } from "effect"
import { only, running } from "../../support/Program.js"
import { furnishLinkHosts } from "./furnishLinkHosts.js"

it.effect("the operator lists the hosts that need a certificate: proven ones, whatever became of them", () =>
  Effect.gen(function* () {
    const run = yield* running([], { environment: {}, stdin: "" })
    assert.deepStrictEqual(only(yield* run("link-hosts list --json")), { hosts: [] })
    assert.include((yield* run("link-hosts list")).out.join("\n"), "No workspace has a link host.")
    const made = only(
      yield* run("workspace create --name A --owner-email ann@acme.test --kind live --credits 0 --json")
    )
    const workspaceId = String(made["workspace_id"])
    yield* Effect.provide(
      Effect.gen(function* () {
        yield* furnishLinkHosts({ workspaceId, email: "ann@acme.test", keyId: "" }, 10 * 86_400_000)
        const store = yield* LinkHostStore
        const { atomically } = yield* UnitOfWork
        const used = (yield* store.list(workspaceId))[0]!
        yield* atomically(store.put({ ...used, host: "old.harbour.example", state: "retired" }))
      }),
      run.services
    )
    const { hosts } = only(yield* run("link-hosts list --json")) as {
      readonly hosts: ReadonlyArray<Readonly<Record<string, string | null>>>
    }
    assert.deepStrictEqual(
      hosts.map(({ host, state, trouble }) => [host, state, trouble]),
      [
        ["links.harbour.example", "used", null],
        ["old.harbour.example", "retired", null],
        ["www.harbour-mail.example", "failing", "certificate"]
      ]
    )
    assert.include((yield* run("link-hosts list")).out.join("\n"), `links.harbour.example  used  ${workspaceId}`)
  })
)
