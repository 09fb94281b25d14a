import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, type Layer } from "effect"
import { PROVEN, person, SEQUENCE } from "./evidence.js"
import { freshKey, member, ok, refused, type ServiceOnStores, SUITE } from "./stories.js"

/** What a caller is told of evidence that can't be taken (contract: campaigns, evidence). */
export const evidenceFlawsContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`flaws of evidence (${name})`, (it) => {
    it.effect("all flaws of evidence are named at once, each by its path", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const answer = yield* client.call(
          "create_campaign",
          {
            name: "Story",
            recipients: [
              person("a", "x", { excerpt: "", observed_at: "soon" }),
              person("b", "x", { ...PROVEN, request_id: freshKey(), url: "ftp://a.test/" }),
              { ...person("c", "x", null), evidence: { "custom.other": PROVEN, last_name: PROVEN } }
            ],
            sequence: SEQUENCE
          },
          { key: freshKey() }
        )
        const issues = (answer.error?.details?.["issues"] ?? []) as ReadonlyArray<{ readonly path: string }>
        const paths = issues.map(({ path }) => path)
        assert.sameMembers(
          [...new Set(paths)],
          [
            "recipients.0.evidence.custom.claim.excerpt",
            "recipients.0.evidence.custom.claim.observed_at",
            "recipients.0.evidence.custom.claim.request_id",
            "recipients.1.evidence.custom.claim.request_id",
            "recipients.1.evidence.custom.claim.url",
            "recipients.2.evidence.custom.other",
            "recipients.2.evidence.last_name"
          ]
        )
      })
    )

    it.effect("evidence from a day that has begun nowhere yet is refused, by each verb that adds people", () =>
      Effect.gen(function* () {
        const client = yield* member()
        const tomorrow = { ...PROVEN, observed_at: "1970-01-02" }
        const recipients = [person("begun", "x", tomorrow)]
        const draftOf = (people: ReadonlyArray<JsonObject>) =>
          client.call("create_campaign", { name: "Seen", recipients: people, sequence: SEQUENCE }, { key: freshKey() })
        const { campaign_id } = ok(yield* draftOf(recipients)).result
        const later = ["1970-01-04", "1970-01-03T09:00:00Z"].map((observed_at, index) =>
          person(`later-${index}`, "x", { ...PROVEN, observed_at })
        )
        const asked = [
          ["recipients", yield* draftOf(later)],
          ["leads", yield* client.call("add_leads", { campaign_id, leads: later }, { key: freshKey() })]
        ] as const
        for (const [field, answer] of asked) {
          refused(answer, 400, "invalid_request")
          assert.deepStrictEqual(
            answer.error?.details?.["issues"],
            later.map((_, index) => ({
              path: `${field}.${index}.evidence.custom.claim.observed_at`,
              message: "must not lie ahead: give the day on which it was seen"
            }))
          )
        }
      })
    )
  })
}
