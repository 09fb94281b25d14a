import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { LaunchSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Recipient } from "@outbound/domain/kernel/sequences/Sequence.js"
import { examine } from "@outbound/domain/outreach/launching/content/Content.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { Clock, Effect } from "effect"
import { sequenceOf } from "../../src/console/approvals/MergedMessages.js"
import { launch } from "./ConsoleHost.js"
import { Desk, type Tenant } from "./Desk.js"

/** A request to write to so many people, each with values of their own. */
export const largeLaunch = (
  of: Tenant,
  leads: number,
  changes: Partial<typeof LaunchSnapshot.Type> = {},
  more: Partial<Approval> = {}
) =>
  Effect.gen(function* () {
    const desk = yield* Desk
    const content = yield* ContentStore
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const nowMillis = yield* Clock.currentTimeMillis
    const people: ReadonlyArray<Recipient> = Array.from({ length: leads }, (_, index) => ({
      email: `person.${index + 1}@company-${index + 1}.test`,
      firstName: index % 9 === 0 ? null : `Person ${index + 1}`,
      lastName: "Lee",
      companyName: index === 41 ? "Log in at https://login.evil-mail.com/now" : `Company ${index % 400}`,
      custom: {}
    }))
    const examined = examine(sequenceOf(launch.steps), people)
    const approval = yield* desk.add(
      of,
      {
        ...launch,
        leads,
        content: { ...examined.summary, digest: "of the values", overlapping_people: 3 },
        ...changes
      },
      more
    )
    const shown = people.map((person, index) => ({
      ...person,
      shownId: ids.next(nowMillis),
      addressHash: `hash of ${person.email}`,
      digest: `digest of ${person.email}`,
      words: null,
      looks: examined.people[index]?.looks ?? [],
      hosts: examined.people[index]?.hosts ?? [],
      evidence: null
    }))
    yield* Effect.orDie(atomically(content.insert(of.workspaceId, approval.approvalId, shown)))
    return { approval, people: shown }
  })
