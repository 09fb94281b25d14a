import type { PersonFiles } from "@outbound/domain/control/personFile/PersonFile.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { acting } from "../control/acting.js"
import { asControl } from "../control/wire.js"
import { exportHeaders } from "../exporting.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { PERSON, personFilePage, personPage } from "./PersonFilePage.js"

const JSON_FILE = { type: "application/json; charset=utf-8", extension: "json", head: "", line: () => "" }

/** One person's file, for owners. */
export const personRoutes = (files: PersonFiles["Service"]): ReadonlyArray<Route> => {
  const show = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const email = form.get("email") ?? ""
    return acting(visit, PERSON, asControl(files.make(by, email)), {
      again: (problem) =>
        Effect.map(
          Effect.orElseSucceed(files.asked(by), () => []),
          (requests) => personPage({ viewer, requests, problem })
        ),
      done: (file): Reply =>
        form.get("download") === "yes"
          ? {
              status: 200,
              headers: { ...exportHeaders(JSON_FILE, "person"), "cache-control": "no-store" },
              body: file.text
            }
          : personFilePage(viewer, file)
    })
  }
  const ask = (visit: Inside): Page =>
    acting(visit, "/console/settings", files.asked(visit.by), {
      done: (requests) => personPage({ viewer: visit.viewer, requests })
    })
  return [member(PERSON, { get: ask, post: show })]
}
