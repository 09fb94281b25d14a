import { assert, describe, it } from "@effect/vitest"
import { invalid } from "@outbound/domain/kernel/errors/Wire.js"
import { Cause, Effect } from "effect"
import type { RuleReport } from "../../src/commands/Actions.js"
import { failureWords } from "../../src/commands/failureWords.js"
import { good, HEAD, only, running } from "../support/Program.js"

describe("the operator's program", () => {
  it.effect("prints exactly one JSON object for each command", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const { workspace_id: id } = only(
        yield* run("workspace create --name A --owner-email ann@acme.test --credits 0 --json")
      )
      const listed = only(yield* run("workspace list --json"))
      assert.deepStrictEqual(listed["workspaces"], [
        { workspace_id: id, name: "A", kind: "sandbox", owner_email: "ann@acme.test" }
      ])
      const kept = only(yield* run(`workspace keep --workspace ${id} --calls 36 --trail always --json`))
      assert.deepStrictEqual(kept, { workspace_id: id, call_months: 36, trail_months: 0 })
      const [said = ""] = (yield* run(`workspace keep --workspace ${id} --calls default --trail 24`)).out
      assert.strictEqual(said, 'Calls stay as long as "archive" says, the trail for at least 24 months.')
      const short = (yield* run(`workspace keep --workspace ${id} --calls 1 --trail 23`)).complaint ?? ""
      assert.match(short, /calls.*from 2 to 1200 months[^]*trail.*from 24 to 1200 months/)
      const granted = only(yield* run(`credits grant --workspace ${id} --amount 12.5 --json`))
      assert.strictEqual(granted["credits_available"], "12.5")
      const made = only(
        yield* run(
          `key create --workspace ${id} --name K --scope data:read --scope trail:read --cap 10 --autonomy off --json`
        )
      )
      assert.match(String(made["api_key"]), /^svc_key_[\w-]{43}$/)
      const key = String(made["key_id"])
      only(
        yield* run(
          `key set --key ${key} --rate 60 --capability modes=off --capability keywords=off --run-required on --json`
        )
      )
      assert.strictEqual(only(yield* run(`key pause --key ${key} --json`))["state"], "paused")
      assert.strictEqual(only(yield* run(`key resume --key ${key} --json`))["state"], "active")
      assert.strictEqual(only(yield* run(`key revoke --key ${key} --json`))["state"], "revoked")
      const started = only(yield* run(`run create --workspace ${id} --name R --budget 5 --expires-in 24h --json`))
      assert.isString(started["run_id"])
      const link = only(yield* run("sign-in-link --email ann@acme.test --json"))
      assert.match(String(link["url"]), /^http:\/\/localhost:8080\/console\/sign-in\?token=[\w-]{43}$/)
      assert.deepStrictEqual(only(yield* run("migrate --json")), { applied: ["0001_foundation"] })
    })
  )

  it.effect("names every mistake at once, and how to mend it", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const { complaint, isGood, out } = yield* run(
        "key create --workspace 7 --scope all --cap -1 --autonomy on --json"
      )
      assert.isFalse(isGood)
      assert.deepStrictEqual(out, [])
      assert.deepStrictEqual(
        complaint
          ?.split("\n")
          .map((line) => line.split(" ", 1)[0])
          .toSorted(),
        ["--autonomy", "--cap", "--name", "--scope", "--workspace"]
      )
    })
  )

  it.effect.each(["30s", "15m", "24h", "7d"])("takes %s for a duration", (duration) =>
    Effect.gen(function* () {
      const run = yield* running()
      const { workspace_id: id } = only(yield* run("workspace create --name A --owner-email ann@acme.test --json"))
      only(yield* run(`run create --workspace ${id} --name R --budget 5 --expires-in ${duration} --json`))
    })
  )

  it.effect.each(["0s", "1w", "h", "400d", "1.5h", "-1h"])("refuses %s for a duration", (duration) =>
    Effect.gen(function* () {
      const run = yield* running()
      const id = "01900000-0000-7000-8000-000000000000"
      const { complaint } = yield* run(
        `run create --workspace ${id} --name R --budget 5 --expires-in=${duration} --json`
      )
      assert.match(complaint ?? "", /^--expires-in must be a duration/)
    })
  )

  it.effect("says what is wrong with a thing that is not there, or not able to", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const id = "01900000-0000-7000-8000-000000000000"
      assert.strictEqual((yield* run(`key pause --key ${id}`)).complaint, "Key not found.")
      assert.match((yield* run(`key set --key ${id}`)).complaint ?? "", /^Use at least one of/)
      assert.match((yield* run("key")).complaint ?? "", /outbound key --help/)
    })
  )

  it.effect("tells a breach from an error, and fails on both", () =>
    Effect.gen(function* () {
      const broken: RuleReport = { ...good, count: 21, breaches: [{ workspaceId: "w", breach: "off by 1" }] }
      const run = yield* running([good, broken])
      const { complaint, isGood, out } = yield* run("check --json")
      assert.isFalse(isGood)
      assert.isNull(complaint)
      assert.deepStrictEqual(JSON.parse(out[0] ?? ""), {
        ok: false,
        invariants_checked: 2,
        breaches: [{ invariant: "ledger_adds_up", workspace_id: "w", breach: "off by 1" }],
        trails: 2,
        trail_heads: [{ workspace_id: "w", seal: 7, sealed_at: "1970-01-01T00:00:00.000Z", head: HEAD.hash }]
      })
      assert.include((yield* run("check")).out[0] ?? "", `workspace w, seal 7: ${HEAD.hash}\n  and 1 more`)
      assert.include((yield* run("check")).out[0] ?? "", "and 20 more")
      assert.deepInclude(only(yield* (yield* running())("check --json")), { ok: true, breaches: [] })
    })
  )

  it.effect("says of a backup where the secret is, and of a restored one what it can't know", () =>
    Effect.gen(function* () {
      const run = yield* running()
      assert.strictEqual(
        (yield* run("backup monday")).out[0],
        "monday holds 1 row of 2 tables, as of 2026-05-04T12:00:00.000Z.\nThe secret is not in it. Keep it apart: OUTBOUND_SECRET."
      )
      assert.deepInclude(only(yield* run("restore monday --json")), { rows: 1, campaigns_paused: 1 })
      assert.match((yield* run("restore monday")).out[0] ?? "", /1 campaign was active and paused/)
      assert.match((yield* run("backup")).complaint ?? "", /FOLDER is missing/)
    })
  )

  it("never shows where a foreseen failure came from", () => {
    const issues = [
      { path: "name", message: "must have 1 to 120 characters" },
      { path: "owner-email", message: "is not an email address" }
    ]
    assert.strictEqual(
      failureWords(Cause.fail(invalid(issues))),
      "--name must have 1 to 120 characters\n--owner-email is not an email address"
    )
    assert.isNull(failureWords(Cause.interrupt(Effect.runSync(Effect.fiberId))))
  })
})

describe("a person at the keyboard", () => {
  const lines = (text: string): ReadonlyArray<string> => text.split("\n")

  it.effect.each(["--help", "-h", "key --help", "key create --help", "directory import list.csv --help"])(
    "reads the help of %s on a plain terminal of 100 columns",
    (line) =>
      Effect.gen(function* () {
        const { isGood, out } = yield* (yield* running())(line)
        assert.isTrue(isGood)
        assert.isAtMost(Math.max(...lines(out.join("\n")).map(({ length }) => length)), 100)
        // Nothing but letters: no colours, no padding.
        assert.match(out.join("\n"), /^(?:[ -~]*[!-~])?(?:\n(?:[ -~]*[!-~])?)*$/)
      })
  )

  it.effect("finds every command in the first help, and what a flag needs in its own", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const all = (yield* run("--help")).out.join("\n")
      for (const name of ["serve", "key create", "mailbox adopt", "sign-in-link"]) assert.include(all, `  ${name} `)
      const own = (yield* run("key create --help")).out.join("\n")
      assert.match(own, /--workspace ID +The workspace; required/)
      assert.notInclude(own.replaceAll("; required", ""), "required")
    })
  )

  it.effect.each<readonly [line: string, complaint: string]>([
    ["kye create", '"kye" is not a command of outbound. Did you mean key?'],
    ["key crate", '"crate" is not a command of outbound key. Did you mean create?'],
    ["workspace list --jsno", "--jsno is not a flag of this command. Did you mean --json?"],
    ["workspace list now", '"now" is not expected here'],
    ["workspace list --json=yes", "--json takes no value"],
    ["sign-in-link --email", "--email needs a value: --email E"],
    ["sign-in-link --email --json", "--email needs a value: --email E"],
    ["sign-in-link --email a@b.test --email c@d.test", "--email was given twice"],
    ["serve --port 80", "--port is not a flag of this command."],
    ["request", "ID is missing"]
  ])("is told what is wrong with %s", ([line, complaint]) =>
    Effect.gen(function* () {
      const ran = yield* (yield* running())(line)
      assert.isFalse(ran.isGood)
      assert.deepStrictEqual(ran.out, [])
      assert.include(ran.complaint ?? "", complaint)
    })
  )

  it.effect("gets links of the service that runs here, unless a setting names another", () =>
    Effect.gen(function* () {
      const service = () => "http://localhost:9123"
      const link = (environment: Readonly<Record<string, string>>) =>
        Effect.gen(function* () {
          const run = yield* running([good], { environment, service })
          only(yield* run("workspace create --name A --owner-email ann@acme.test --json"))
          return String(only(yield* run("sign-in-link --email ann@acme.test --json"))["url"])
        })
      assert.match(yield* link({}), /^http:\/\/localhost:9123\/console/)
      assert.match(yield* link({ OUTBOUND_PORT: "9000" }), /^http:\/\/localhost:9000\/console/)
      assert.match(yield* link({ OUTBOUND_BASE_URL: "https://a.test" }), /^https:\/\/a\.test\/console/)
    })
  )
})
