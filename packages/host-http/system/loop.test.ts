import { Human } from "@outbound/testkit/loop/Human.js"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { call, freePort, Home, shownKey, until } from "./support/Program.js"

let home: Home
let firstKey: string

beforeAll(async () => {
  home = await Home.make()
  firstKey = shownKey(await home.serve())
})

afterAll(() => home.close())

describe("the loop against a running service", () => {
  it("answers the call that the first start prints", async () => {
    const { body, status } = await call(home, firstKey, "/v1/verify_email", { email: "valid@magic.test" })
    assert.strictEqual(status, 200)
    assert.strictEqual(body.result.status, "valid")
    assert.strictEqual(body.svc.credits_available, "299")
  })

  it("goes through by itself with --approve, and leaves nothing broken", async () => {
    const { code, err, out } = await home.loop(["--approve"]).ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    for (const kind of ["interested", "not_interested", "other", "out_of_office", "unsubscribe", "bounce"]) {
      assert.match(out, new RegExp(`Done\\..* \\d+ ${kind}[,.]`))
    }
    assert.deepInclude(await home.json("check"), { ok: true, breaches: [] })
  })

  it("waits for the human and for the credits, and writes to the people of one's own list", async () => {
    const rows = [
      "email,first_name,pet",
      "interested+own@magic.test,Ann,Rex",
      "nobody,Bob,",
      "silent@magic.test,Cy,Tom"
    ]
    writeFileSync(join(home.folder, "people.csv"), rows.join("\n"))
    const loop = home.loop(["--recipients", "people.csv"])
    const { url } = await home.json("sign-in-link", "--email", "owner@outbound.test")
    const human = new Human()
    await human.signIn(url)
    const approvals = () => [...loop.out.matchAll(/http\S+\/console\/approvals\/\S+/g)].map(([address]) => address)

    await loop.said("Waiting ...")
    await human.approve(approvals()[0] ?? "")
    await loop.said("npx outbound credits grant")
    const [, ...words] = /npx (outbound credits grant .*)/.exec(loop.out)?.[1]?.split(" ") ?? []
    await home.json(...words)
    await loop.said("Preview: 2 people")
    const [, second = ""] = await until(
      async () => approvals(),
      ({ length }) => length === 2,
      10_000
    )
    await human.approve(second)

    const { code, err, out } = await loop.ended
    assert.strictEqual(code, 0, `${out}\n${err}`)
    assert.include(out, "3 rows: 2 good, 0 repeated, 1 bad")
    assert.include(out, 'line 3: "nobody" is not an email address')
    assert.match(out, /Done\..*1 reply: 1 interested/)
  })

  it("says what is wrong with its options, and with its address", async () => {
    const mistyped = await home.loop(["--recipient", "x"]).ended
    assert.strictEqual(mistyped.code, 1)
    assert.include(mistyped.err, "--recipients FILE")
    const nobody = await home.loop(["--url", `http://localhost:${await freePort()}`]).ended
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.err, "No service answers at")
    const unreadable = await home.loop(["--recipients", "nowhere.csv"]).ended
    assert.strictEqual(unreadable.code, 1)
    assert.include(unreadable.err, "nowhere.csv can't be used")
  })
})
