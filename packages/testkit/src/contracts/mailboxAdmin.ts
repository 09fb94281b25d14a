import { it } from "@effect/vitest"
import type { Layer } from "effect"
import { SUITE } from "./fixtures.js"
import { addingTests } from "./mailboxAdding.js"
import type { MailboxAdminStores } from "./mailboxAdminSupport.js"
import { changingTests } from "./mailboxChanging.js"

/** What an owner may do with own mailboxes, over any stores. */
export const mailboxAdminContract = <E>(name: string, adapter: Layer.Layer<MailboxAdminStores, E>): void => {
  it.layer(adapter, SUITE)(`putting in own mailboxes (${name})`, addingTests)
  it.layer(adapter, SUITE)(`changing own mailboxes (${name})`, changingTests)
}
