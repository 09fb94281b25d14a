import { assert, describe, it } from "@effect/vitest"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { openCrmKey } from "@outbound/domain/wings/crm/crmKey.js"
import { CrmStore } from "@outbound/domain/wings/crm/CrmStore.js"
import { Clock, Effect, Option, Redacted } from "effect"
import { run, visitor } from "../../support/Visitor.js"
import { Desk } from "../../support/Desk.js"

const PATH = "/console/settings/crm"
const SECRET = "a-secret-key-that-ends-in-wxyz"
const MINUTE = 60_000

const ALL = {
  keeps_customers: "on",
  keeps_open_deals: "on",
  keeps_owned: "off",
  writes_replies: "on",
  writes_meetings: "on",
  creates_contacts: "off"
}

describe("a workspace's CRM", () => {
  it.live("is connected, shown without its key, changed and disconnected", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* CrmStore
        const crypto = yield* Crypto
        const { workspaceId } = desk.live
        const us = yield* visitor(desk.live)
        const before = yield* us.get(PATH)
        assert.include(before.text, "Connect a CRM")
        assert.include((yield* us.get("/console/settings")).text, PATH)
        const kept = yield* us.post(`${PATH}/connect`, { ...ALL, vendor: "ledger", secret: ` ${SECRET} ` })
        assert.strictEqual(kept.headers.get("location"), `${PATH}?done=connected`)
        const connection = Option.getOrThrow(yield* store.get(workspaceId))
        assert.notInclude(JSON.stringify(connection), SECRET)
        assert.strictEqual(Redacted.value(openCrmKey(crypto, connection)!.secret), SECRET)
        assert.isNull(openCrmKey(crypto, { ...connection, vendor: "another" }))
        for (const path of [`${PATH}?done=connected`, "/console/settings/history"]) {
          const { status, text } = yield* us.get(path)
          assert.strictEqual(status, 200)
          assert.notInclude(text, SECRET, path)
        }
        const shown = yield* us.get(PATH)
        for (const words of ["Ledger CRM", "wxyz", "Nothing is sent", "not yet"]) assert.include(shown.text, words)

        const { atomically } = yield* UnitOfWork
        yield* atomically(
          store.put({ ...connection, reading: { ...connection.reading, trouble: "private_address" as const } })
        )
        for (const words of ["private network", "OUTBOUND_CRM_HOSTS"]) {
          assert.include((yield* us.get(PATH)).text, words)
        }

        const fewer = { ...ALL, keeps_open_deals: "off", writes_replies: "off" }
        assert.strictEqual((yield* us.post(`${PATH}/policy`, fewer)).status, 303)
        assert.deepInclude(Option.getOrThrow(yield* store.get(workspaceId)).policy, {
          keepsCustomers: true,
          keepsOpenDeals: false,
          writesReplies: false
        })
        // Another key changes nothing of what was chosen, and everything is read again.
        assert.strictEqual(
          (yield* us.post(`${PATH}/connect`, { vendor: "ledger", secret: "another-key-4711" })).status,
          303
        )
        assert.deepInclude(Option.getOrThrow(yield* store.get(workspaceId)), {
          last4: "4711",
          policy: { ...connection.policy, keepsOpenDeals: false, writesReplies: false }
        })
        const gone = yield* us.post(`${PATH}/remove`, {})
        assert.strictEqual(gone.headers.get("location"), `${PATH}?done=removed`)
        assert.isTrue(Option.isNone(yield* store.get(workspaceId)))
        assert.strictEqual((yield* us.post(`${PATH}/remove`, {})).status, 404)
        for (const words of ["CRM disconnected", "CRM connected"]) {
          assert.include((yield* us.get("/console/settings/history")).text, words)
        }
      })
    )
  )

  it.live("its owners are mapped to members", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* CrmStore
        const { atomically } = yield* UnitOfWork
        const { email, workspaceId } = desk.live
        const us = yield* visitor(desk.live)
        yield* us.post(`${PATH}/connect`, { ...ALL, vendor: "ledger", secret: SECRET })
        yield* atomically(
          store.putOwners(workspaceId, [
            { ref: "7", name: "Olga Owner", email: "olga@else.test" },
            { ref: "8", name: "Joan There", email: email.toUpperCase() }
          ])
        )
        const [joan] = yield* store.owners(workspaceId)
        const userId = joan?.userId ?? ""
        assert.notStrictEqual(userId, "")
        assert.include((yield* us.get(PATH)).text, "Olga Owner")
        assert.strictEqual((yield* us.post(`${PATH}/owner`, { owner: "7", member: userId })).status, 303)
        assert.strictEqual((yield* us.post(`${PATH}/owner`, { owner: "8", member: "" })).status, 303)
        const mapped = (yield* store.owners(workspaceId)).map((owner) => [owner.ref, owner.userId])
        assert.deepStrictEqual(Object.fromEntries(mapped), { "7": userId, "8": null })
        // Reading the owners again changes nothing that was chosen.
        yield* atomically(store.putOwners(workspaceId, [{ ref: "8", name: "Joan There", email }]))
        assert.deepStrictEqual(
          (yield* store.owners(workspaceId)).map((owner) => owner.userId),
          [null]
        )
        assert.strictEqual((yield* us.post(`${PATH}/owner`, { owner: "9", member: "" })).status, 404)
        const stranger = yield* us.post(`${PATH}/owner`, { owner: "8", member: desk.theirs.workspaceId })
        assert.include(stranger.text, "must be a member of this workspace")
      })
    )
  )

  it.live("one with its own address keeps it beside the key, and is another one at another address", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* CrmStore
        const crypto = yield* Crypto
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = desk.live
        const us = yield* visitor(desk.live)
        const bare = yield* us.get(PATH)
        for (const words of ["Choose yours", "?crm=almanac", "?crm=ledger"]) assert.include(bare.text, words)
        assert.notInclude(bare.text, 'name="secret"')
        const asked = yield* us.get(`${PATH}?crm=almanac`)
        for (const words of ["A program of your own", "Address", "Program", "https://you.almanac.example"]) {
          assert.include(asked.text, words)
        }
        assert.notInclude((yield* us.get(`${PATH}?crm=ledger`)).text, 'name="address"')
        const typed = { vendor: "almanac", address: " https://Us.almanac.example/ ", client_id: "p-1", secret: SECRET }
        assert.strictEqual((yield* us.post(`${PATH}/connect`, { ...ALL, ...typed })).status, 303)
        const connection = Option.getOrThrow(yield* store.get(workspaceId))
        const { address, clientId, secret } = openCrmKey(crypto, connection)!
        assert.deepStrictEqual(
          [address, clientId, Redacted.value(secret)],
          ["https://us.almanac.example", "p-1", SECRET]
        )
        assert.notInclude(JSON.stringify(connection), SECRET)
        const shown = yield* us.get(PATH)
        for (const words of ["https://us.almanac.example", "p-1", "wxyz"]) assert.include(shown.text, words)
        assert.notInclude(shown.text, SECRET)
        const history = (yield* us.get("/console/settings/history")).text
        assert.include(history, "https://us.almanac.example")
        assert.notInclude(history, SECRET)

        yield* atomically(store.putOwners(workspaceId, [{ ref: "7", name: "Olga Owner", email: null }]))
        const again = { ...typed, secret: "another-key-4711" }
        assert.strictEqual((yield* us.post(`${PATH}/connect`, again)).status, 303)
        assert.lengthOf(yield* store.owners(workspaceId), 1)
        const elsewhere = { ...again, address: "https://them.almanac.example" }
        assert.strictEqual((yield* us.post(`${PATH}/connect`, elsewhere)).status, 303)
        assert.lengthOf(yield* store.owners(workspaceId), 0)
      })
    )
  )

  it.live("an address is the public name of a host, and all that is wrong is said at once", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* CrmStore
        const us = yield* visitor(desk.live)
        const typed = { ...ALL, vendor: "almanac", client_id: "p-1", secret: SECRET }
        for (const [address, words] of [
          ["us.almanac.example", "Address must be an address that begins with https://"],
          ["http://us.almanac.example", "Address must use https"],
          ["https://us.almanac.example/rest", "Address must end after the host name"],
          ["https://us.almanac.example?a=b", "Address must end after the host name"],
          ["https://ada:pw@us.almanac.example", "Address must not contain a user name or password"],
          ["https://us.almanac.example.attacker.test", "Address must end in .almanac.example"],
          ["https://10.0.0.7", "Address must end in .almanac.example"],
          ["file:///etc/passwd", "Address must"],
          ["", "Address must be an address that begins with https://"]
        ] as const) {
          const wrong = yield* us.post(`${PATH}/connect`, { ...typed, address })
          assert.strictEqual(wrong.status, 400, address)
          assert.include(wrong.text, words, address)
        }
        const all = yield* us.post(`${PATH}/connect`, { ...typed, address: "x", client_id: "a b", secret: "short" })
        for (const words of ["Address must", "Client id must be", "Key must be"]) assert.include(all.text, words)
        assert.include(all.text, 'value="a b"')
        assert.isTrue(Option.isNone(yield* store.get(desk.live.workspaceId)))
      })
    )
  )

  it.live("what is typed wrongly is said at once, without the key", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const us = yield* visitor(desk.live)
        const wrong = yield* us.post(`${PATH}/connect`, { ...ALL, vendor: "ariel", secret: "has a space" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, "Vendor must be a CRM")
        assert.include(wrong.text, "Key must be 8 to 4,096 characters")
        assert.notInclude(wrong.text, "has a space")
      })
    )
  )

  it.live("is for owners alone, who signed in just now where fewer people are left out then", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const store = yield* CrmStore
        const form = { ...ALL, vendor: "ledger", secret: SECRET }
        const member = yield* visitor(desk.live, "member")
        assert.strictEqual((yield* member.get(PATH)).status, 403)
        assert.strictEqual((yield* member.post(`${PATH}/connect`, form)).status, 403)
        const stale = yield* visitor(desk.live, "owner", 6 * MINUTE)
        const refused = yield* stale.post(`${PATH}/connect`, form)
        assert.include(refused.text, `/console/sign-in?next=${encodeURIComponent(PATH)}`)
        assert.isTrue(Option.isNone(yield* store.get(desk.live.workspaceId)))
        const fresh = yield* visitor(desk.live)
        yield* fresh.post(`${PATH}/connect`, form)
        assert.strictEqual((yield* stale.post(`${PATH}/policy`, { ...ALL, keeps_owned: "on" })).status, 303)
        assert.strictEqual((yield* stale.post(`${PATH}/policy`, { ...ALL, keeps_customers: "off" })).status, 403)
        assert.strictEqual((yield* stale.post(`${PATH}/remove`, {})).status, 403)
        assert.isTrue(Option.getOrThrow(yield* store.get(desk.live.workspaceId)).policy.keepsCustomers)
        assert.isTrue(Option.isNone(yield* store.get(desk.theirs.workspaceId)))
        assert.isAbove(yield* Clock.currentTimeMillis, 0)
      })
    )
  )
})
