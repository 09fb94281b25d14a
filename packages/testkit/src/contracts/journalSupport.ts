import type { Vitest } from "@effect/vitest"
import type { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import type { TestHosts } from "../memory/Hooks.js"

/** What the tests of a journal work on. */
export type JournalStores = CallJournal | CreditStore | KeyStore | RunStore | UnitOfWork | WorkspaceStore

/** `it`, with these stores at hand. */
export type JournalIt = Vitest.MethodsNonLive<JournalStores | TestHosts>
