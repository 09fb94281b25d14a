import { assert, describe, it } from "@effect/vitest"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { Effect } from "effect"
import { only, running } from "../support/Program.js"

const KEY = `v=DKIM1; k=rsa; p=${"MIIB".repeat(98)}`

const given = (kind: "live" | "sandbox") =>
  Effect.gen(function* () {
    const run = yield* running()
    const probe = yield* Effect.provide(ScriptedProbe, run.services)
    yield* probe.publish({})
    const made = only(
      yield* run(`workspace create --name A --owner-email ann@acme.test --kind ${kind} --credits 0 --json`)
    )
    const workspace = String(made["workspace_id"])
    const add = (...more: ReadonlyArray<string>) =>
      run(["domain", "add", "--workspace", workspace, "--domain", "acme.test", ...more])
    return { add, run, workspace }
  })

describe("the commands of sending domains", () => {
  it.effect("add, list, show, check and remove, and print one JSON object each", () =>
    Effect.gen(function* () {
      const { add, run, workspace } = yield* given("live")
      const added = only(yield* add("--mail-host", "google", "--dkim", `google TXT ${KEY}`, "--takes-mail", "--json"))
      assert.deepInclude(added, { domain: "acme.test", state: "open", green: false, dns_host: null })
      const records = added["records"] as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        records.map(({ record, state }) => [record, state]),
        [
          ["spf", "missing"],
          ["dkim", "missing"],
          ["dmarc", "missing"],
          ["mx", "conflict"]
        ]
      )
      assert.deepStrictEqual(records[0]?.["set"], ["v=spf1 include:_spf.google.com ~all"])
      const which = `--workspace ${workspace} --domain ${added["domain_id"]}`
      const shown = yield* run(`domain show ${which}`)
      assert.isFalse(shown.isGood)
      assert.include(shown.out.join("\n"), `set: google._domainkey.acme.test TXT ${KEY}`)
      assert.deepInclude(only(yield* run(`domain check ${which} --json`)), { state: "checking" })
      const listed = only(yield* run(`domain list --workspace ${workspace} --json`))
      assert.lengthOf(listed["domains"] as ReadonlyArray<unknown>, 1)
      assert.deepInclude(only(yield* run(`domain remove ${which} --json`)), { removed: true })
      assert.deepStrictEqual(only(yield* run(`domain list --workspace ${workspace} --json`)), { domains: [] })
      assert.strictEqual((yield* run(`domain show ${which}`)).complaint, "Not found.")
    })
  )

  it.effect("what is wrong is said at once, and a sandbox has none", () =>
    Effect.gen(function* () {
      const { add } = yield* given("live")
      const wrong = yield* add("--dkim", "google TXT no", "--reports-to", "a@b.test")
      assert.include(wrong.complaint ?? "", "spf must name who sends")
      assert.include(wrong.complaint ?? "", "dkim “google TXT no” must be")
      assert.include(wrong.complaint ?? "", "reports-to must be an address of acme.test")
      const sandbox = yield* given("sandbox")
      assert.include((yield* sandbox.add("--mail-host", "fastmail")).complaint ?? "", "is a sandbox")
    })
  )
})
