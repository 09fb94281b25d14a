import { assert, describe, it } from "@effect/vitest"
import { ScriptedProbe } from "@outbound/testkit/mail/ScriptedProbe.js"
import { grantOf } from "@outbound/domain/outreach/sending/mailGrant.js"
import { Effect, Redacted } from "effect"
import { only, running } from "../support/Program.js"

const PASSWORD = "correct horse battery"

const surroundings = {
  environment: { MAIL_PASSWORD: PASSWORD, MAIL_TOKEN: "ya29.x", CLIENT_SECRET: "of the client" },
  stdin: `${PASSWORD}\n`
}

const given = (kind: "live" | "sandbox") =>
  Effect.gen(function* () {
    const run = yield* running([], surroundings)
    const made = only(
      yield* run(`workspace create --name A --owner-email ann@acme.test --kind ${kind} --credits 0 --json`)
    )
    const workspace = String(made["workspace_id"])
    const probed = Effect.flatMap(Effect.provide(ScriptedProbe, run.services), (probe) => probe.probed)
    const add = (...more: ReadonlyArray<string>) =>
      run([
        ..."mailbox add --address jo@acme.test --smtp smtps://smtp.acme.test --imap imaps://imap.acme.test:1993".split(
          " "
        ),
        "--workspace",
        workspace,
        "--name",
        "Jo Doe",
        ...more
      ])
    return { run, workspace, add, probed }
  })

describe("the commands of own mailboxes", () => {
  it.effect("add, list, pause, resume and remove, and print one JSON object each", () =>
    Effect.gen(function* () {
      const { add, probed, run, workspace } = yield* given("live")
      const added = only(yield* add("--password-env", "MAIL_PASSWORD", "--json"))
      const mailbox = added["mailbox"] as Record<string, unknown>
      assert.deepInclude(mailbox, { address: "jo@acme.test", state: "active", auth: "password" })
      assert.deepInclude(mailbox["smtp"], { host: "smtp.acme.test", port: 465, security: "tls" })
      assert.deepInclude(mailbox["imap"], { port: 1993 })
      const [account] = yield* probed
      assert.deepStrictEqual([account?.username, Redacted.value(account!.secret)], ["jo@acme.test", PASSWORD])
      const which = `--workspace ${workspace} --mailbox ${mailbox["mailbox_id"]} --json`
      assert.deepInclude(only(yield* run(`mailbox pause ${which}`)), { state: "paused", pause_reason: "owner" })
      assert.deepInclude(only(yield* run(`mailbox resume ${which}`)), { state: "active", pause_reason: null })
      const listed = only(yield* run(`mailbox list --workspace ${workspace} --json`))
      assert.lengthOf(listed["mailboxes"] as ReadonlyArray<unknown>, 1)
      assert.notInclude(JSON.stringify([added, listed]), PASSWORD)
      assert.deepInclude(only(yield* run(`mailbox remove ${which}`)), { removed: true })
      assert.deepStrictEqual(only(yield* run(`mailbox list --workspace ${workspace} --json`)), { mailboxes: [] })
    })
  )

  it.effect("take the secret from standard input or as an access token, and from one place alone", () =>
    Effect.gen(function* () {
      const { add, probed } = yield* given("live")
      only(yield* add("--password-stdin", "--json"))
      only(yield* add("--xoauth2-env", "MAIL_TOKEN", "--json"))
      assert.deepStrictEqual(
        (yield* probed).map(({ auth, secret }) => [auth, Redacted.value(secret)]),
        [
          ["password", PASSWORD],
          ["xoauth2", "ya29.x"]
        ]
      )
      for (const flags of [
        [],
        ["--password-stdin", "--password-env", "MAIL_PASSWORD"],
        ["--password-env", "NOT_SET"]
      ]) {
        const { complaint, isGood } = yield* add(...flags)
        assert.isFalse(isGood)
        assert.match(complaint ?? "", /--password-env/)
      }
      assert.lengthOf(yield* probed, 2)
    })
  )

  it.effect("take a refresh token for Google, Microsoft or an endpoint that is named, and all that goes with it", () =>
    Effect.gen(function* () {
      const { add, probed } = yield* given("live")
      const client = ["--client-id", "client-1"]
      const added = only(
        yield* add(
          "--oauth",
          "google",
          ...client,
          "--client-secret-env",
          "CLIENT_SECRET",
          "--refresh-token-stdin",
          "--json"
        )
      )
      assert.deepInclude(added["mailbox"], { auth: "oauth" })
      assert.notInclude(JSON.stringify(added), PASSWORD)
      const common = "https://login.microsoftonline.com/acme/oauth2/v2.0/token"
      only(
        yield* add(
          "--oauth",
          "microsoft",
          ...client,
          "--refresh-token-env",
          "MAIL_TOKEN",
          "--token-url",
          common,
          "--json"
        )
      )
      only(
        yield* add(
          "--oauth",
          "other",
          ...client,
          "--refresh-token-env",
          "MAIL_TOKEN",
          "--token-url",
          "https://a.test/t",
          "--json"
        )
      )
      assert.deepStrictEqual(
        (yield* probed).map(({ secret }) => {
          const { clientSecret, refreshToken, ...rest } = grantOf(secret)!
          return [rest.tokenUrl, clientSecret && Redacted.value(clientSecret), Redacted.value(refreshToken), rest.scope]
        }),
        [
          ["https://oauth2.googleapis.com/token", "of the client", PASSWORD, "https://mail.google.com/"],
          [
            common,
            null,
            "ya29.x",
            "https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access"
          ],
          ["https://a.test/t", null, "ya29.x", null]
        ]
      )
      for (const [flags, words] of [
        [["--oauth", "yahoo", ...client], "--oauth must be one of google, microsoft, other"],
        [["--oauth", "google", "--refresh-token-stdin"], "--client-id is required"],
        [["--oauth", "google", ...client], "Use either --refresh-token-env"],
        [["--oauth", "other", ...client, "--refresh-token-stdin"], "--token-url is required"],
        [["--oauth", "google", ...client, "--password-stdin"], "--oauth can't be combined with"],
        [["--password-stdin", ...client], "need --oauth"],
        [
          ["--oauth", "other", ...client, "--refresh-token-stdin", "--token-url", "http://a.test/t"],
          "must begin with https"
        ]
      ] as const) {
        const { complaint, isGood } = yield* add(...flags)
        assert.isFalse(isGood)
        assert.include(complaint ?? "", words)
      }
      assert.lengthOf(yield* probed, 3)
    })
  )

  it.effect("end badly, and say everything, where a mailbox does not work", () =>
    Effect.gen(function* () {
      const { add, run } = yield* given("live")
      const probe = yield* Effect.provide(ScriptedProbe, run.services)
      yield* probe.publish({})
      yield* probe.finds({ smtpLogin: { state: "failed", says: "The SMTP server refuses this user name and secret." } })
      const { isGood, out } = yield* add("--password-stdin")
      assert.isFalse(isGood)
      assert.match(out[0] ?? "", /^Mailbox jo@acme\.test was not added/)
      assert.match(
        out[0] ?? "",
        /- The SMTP server refuses this user name and secret\.\n- The user name or password is wrong\.[^\n]*\n- acme\.test has no SPF record/
      )
    })
  )

  it.effect("are refused for a sandbox workspace, and for servers that can't be understood", () =>
    Effect.gen(function* () {
      const sandbox = yield* given("sandbox")
      const refused = yield* sandbox.add("--password-stdin")
      assert.isFalse(refused.isGood)
      assert.match(refused.complaint ?? "", /^--workspace is a sandbox/)
      const { complaint } = yield* sandbox.run(
        `mailbox add --workspace ${sandbox.workspace} --address a@b.test --name A --smtp imaps://a --imap https://a`
      )
      assert.deepStrictEqual(
        complaint?.split("\n").map((line) => line.split(" ", 1)[0]),
        ["--smtp", "--imap"]
      )
    })
  )
})
