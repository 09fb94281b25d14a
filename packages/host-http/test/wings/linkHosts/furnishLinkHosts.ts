import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { LinkHost } from "@outbound/domain/wings/linkHosts/LinkHost.js"
import { LinkHostStore } from "@outbound/domain/wings/linkHosts/LinkHostStore.js"
import { Effect } from "effect"
import type { Tenant } from "../../support/Desk.js"
import type { Laid } from "../Furnish.js"

const HOUR = 3_600_000

/** A host in use, one whose records are not there yet, and one that stopped answering. */
export const furnishLinkHosts = ({ email, workspaceId }: Tenant, nowMillis: number) =>
  Effect.gen(function* () {
    const store = yield* LinkHostStore
    const { atomically } = yield* UnitOfWork
    const used: LinkHost = {
      workspaceId,
      host: "links.harbour.example",
      domain: null,
      state: "used",
      trouble: null,
      failures: 0,
      addedBy: email,
      addedAtMillis: nowMillis - 72 * HOUR,
      provenAtMillis: nowMillis - 71 * HOUR,
      answeredAtMillis: nowMillis - HOUR / 2,
      checkedAtMillis: nowMillis - HOUR / 2,
      nextCheckAtMillis: nowMillis + HOUR / 2,
      listed: [],
      listsAskedAtMillis: nowMillis - HOUR / 2
    }
    const waiting: LinkHost = {
      ...used,
      host: "links.try-harbour.example",
      domain: "try-harbour.example",
      state: "waiting",
      trouble: "no_proof",
      failures: 3,
      provenAtMillis: null,
      answeredAtMillis: null
    }
    const failing: LinkHost = {
      ...used,
      host: "www.harbour-mail.example",
      domain: "harbour-mail.example",
      state: "failing",
      trouble: "certificate",
      failures: 4,
      listed: [{ zone: "dbl.example", says: "seen in spam" }]
    }
    yield* atomically(Effect.forEach([used, waiting, failing], store.put, { discard: true }))
    const laid: Laid = { pages: [{ name: "link-hosts", path: "/console/settings/link-hosts" }] }
    return laid
  })
