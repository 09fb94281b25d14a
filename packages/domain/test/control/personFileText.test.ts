import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { createHash } from "node:crypto"
import { personFileText, verifyPersonFile } from "../../src/control/personFile/fileText.js"
import { commitmentOf, eventHash, NO_SEAL, sealHash, type SealedEvent } from "../../src/kernel/trail/seals.js"

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

const EMAIL = "ann@acme.test"
const SALT = "0123456789abcdef"

const event = (index: number): SealedEvent => ({
  eventId: `0197c3a0-0000-7000-8000-00000000000${index}`,
  kind: "sent",
  source: "system",
  observedAtMillis: 1_700_000_000_000 + index,
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: null,
  operationId: null,
  person: commitmentOf(sha256, SALT, EMAIL),
  email: EMAIL,
  salt: SALT,
  detail: `{"step":${index}}`
})

const fileOf = (email: string) => {
  const theirs = [event(1), event(2)]
  const hashes = [...theirs.map((one) => eventHash(sha256, one)), sha256("somebody else's")]
  const seal = {
    workspaceId: "workspace",
    number: 1,
    previous: NO_SEAL,
    sealedAtMillis: 1_700_000_100_000,
    count: hashes.length
  }
  return personFileText(sha256, { workspace: { workspace_id: "workspace", name: "Acme" }, email, leads: [{ a: 1 }] }, [
    { seal: { ...seal, hash: sealHash(sha256, seal, hashes) }, hashes, theirs }
  ])
}

/** The file made again after a change: its digest is right. */
const remade = (change: (content: unknown) => void): string => {
  const { digest: _, ...content } = JSON.parse(fileOf(EMAIL))
  change(content)
  const covered = JSON.stringify(content).slice(0, -1)
  return `${covered},"digest":"${sha256(covered)}"}\n`
}

describe("a person's file", () => {
  it("is verified as it was made", () => {
    const verified = Result.getOrThrow(verifyPersonFile(sha256, fileOf(EMAIL)))
    assert.deepInclude(verified, { workspaceId: "workspace", events: 2 })
  })

  it("is refused after any single change: each character replaced, removed or doubled", () => {
    const text = fileOf(EMAIL)
    let tried = 0
    for (let at = 0; at < text.length; at += 1) {
      const one = text.charAt(at)
      for (const other of ["", one + one, one === "0" ? "1" : "0"]) {
        const changed = text.slice(0, at) + other + text.slice(at + 1)
        assert.isTrue(Result.isFailure(verifyPersonFile(sha256, changed)), `${at}: ${other}`)
        tried += 1
      }
    }
    assert.isAbove(tried, 1_000)
  })

  it("is refused if its events or its person were changed and the digest was made again", () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- what the file's JSON holds is changed at will
    const changes: ReadonlyArray<(content: any) => void> = [
      (content) => (content.seals[0].events[0].detail = '{"step":9}'),
      (content) => (content.seals[0].events[0].observed_at = "2020-01-01T00:00:00.000Z"),
      (content) => (content.seals[0].events[0].observed_at = "never"),
      (content) => (content.seals[0].hashes[2] = sha256("another")),
      (content) => (content.seals[0].sealed_at = "never"),
      (content) => (content.email = "bob@acme.test"),
      (content) => (content.workspace.workspace_id = "another"),
      (content) => (content.format = "outbound trail 1")
    ]
    for (const change of changes)
      assert.isTrue(Result.isFailure(verifyPersonFile(sha256, remade(change))), String(change))
    assert.isTrue(
      Result.isSuccess(
        verifyPersonFile(
          sha256,
          remade(() => {})
        )
      )
    )
  })
})
