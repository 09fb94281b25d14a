import { Effect } from "effect"
import type { LeadOrigin } from "../../../kernel/people/origins.js"
import { addressHashOf } from "../../../kernel/people/subjects.js"
import type { Crypto } from "../../../kernel/ports/Crypto.js"
import type { LeadWords } from "../../../kernel/words/notice.js"
import type { Workspace, WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import { firstOrigin, type OriginStore } from "../../campaigns/recipients/OriginStore.js"
import { wordsUnder } from "../../campaigns/recipients/wording.js"

/** The words of somebody of whom only the address is known, if they joined the campaign now. */
export const foreseenWords =
  (services: {
    readonly crypto: Pick<Crypto["Service"], "mac" | "sha256Hex">
    readonly origins: OriginStore["Service"]
    readonly workspaces: Pick<WorkspaceStore["Service"], "words">
  }) =>
  (workspace: Workspace, email: string) =>
    Effect.gen(function* () {
      const { workspaceId } = workspace
      const { crypto, origins, workspaces } = services
      const hash = addressHashOf(crypto, workspaceId, email)
      const now: LeadOrigin = {
        kind: "given",
        how: "add_leads",
        // Whatever is kept is earlier.
        at: "9999",
        by: null,
        request_id: null,
        line: null,
        file: null,
        sources: [],
        country: null
      }
      const origin = firstOrigin((yield* origins.facts(workspaceId, [hash])).get(hash), now)
      const facts = { settings: yield* workspaces.words(workspaceId), workspace }
      const { notice, words } = wordsUnder(facts, crypto.sha256Hex)({ email, custom: {}, origin })
      const texts: Readonly<Record<string, string>> = notice === null ? {} : { [notice.id]: notice.text }
      return { words: words satisfies LeadWords | null, texts }
    })
