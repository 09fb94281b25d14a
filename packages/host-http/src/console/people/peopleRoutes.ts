import { freshOwner, mend, owner } from "@outbound/domain/control/access.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { listedAddresses } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Effect, Stream } from "effect"
import { LIMITS } from "../../http/Limits.js"
import { acting } from "../control/acting.js"
import { asControl } from "../control/wire.js"
import { type ConsoleServices, type Inside, member, type Page, type Route } from "../Visit.js"
import { confirmErasePage, ERASE, erasedPage, erasePage } from "./ErasePage.js"
import { suppressionPage } from "./SuppressionPage.js"

const SUPPRESSION = "/console/settings/suppression"

const suppressionRoutes = (imports: NonNullable<ConsoleServices["imports"]>): ReadonlyArray<Route> => {
  const take = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const typed = form.get("addresses") ?? ""
    const dryRun = form.get("do") !== "import"
    const rows = listedAddresses(typed)
    const taken = Effect.gen(function* () {
      yield* owner(by)
      yield* mend(rows.length > 0 ? [] : [{ path: "addresses", message: "must contain at least one address" }])
      return yield* imports.take(by, Stream.fromIterable(rows), { dryRun })
    })
    return acting(visit, SUPPRESSION, taken, {
      done: (report) => suppressionPage({ viewer, report, typed: dryRun ? typed : "" }),
      again: (problem) => Effect.succeed(suppressionPage({ viewer, typed, problem }))
    })
  }
  return [
    member(SUPPRESSION, {
      get: ({ viewer }) => Effect.succeed(suppressionPage({ viewer })),
      post: take,
      formBytesMax: LIMITS.listFormBytesMax
    })
  ]
}

const erasureRoutes = (erasure: NonNullable<ConsoleServices["erasure"]>): ReadonlyArray<Route> => {
  const erase = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const typed = form.get("email") ?? ""
    const options = {
      again: (problem: NonNullable<Parameters<typeof erasePage>[0]["problem"]>) =>
        Effect.succeed(erasePage({ viewer, problem }))
    }
    if (form.get("confirmed") === "yes") {
      return acting(visit, ERASE, asControl(erasure.erase(by, typed)), {
        ...options,
        done: (report) => erasedPage(viewer, report)
      })
    }
    const asked = Effect.gen(function* () {
      yield* freshOwner(by)
      const email = usableEmail(typed)
      yield* mend(email === null ? [{ path: "email", message: "must be an email address" }] : [])
      return email ?? ""
    })
    return acting(visit, ERASE, asked, { ...options, done: (email) => confirmErasePage(viewer, email) })
  }
  return [member(ERASE, { get: ({ viewer }) => Effect.succeed(erasePage({ viewer })), post: erase })]
}

/** The suppression list, and erasure. */
export const peopleRoutes = ({ erasure, imports }: Pick<ConsoleServices, "erasure" | "imports">) => [
  ...(imports === null ? [] : suppressionRoutes(imports)),
  ...(erasure === null ? [] : erasureRoutes(erasure))
]
