import { Effect } from "effect"
import { Providers } from "../ports/providers/Providers.js"
import type { SendingProvider } from "../ports/providers/SendingProvider.js"
import type { StoreUnavailable } from "../ports/UnitOfWork.js"
import type { WorkspaceKind } from "../workspaces/WorkspaceStore.js"
import type { Mailbox } from "./SendingStore.js"

/** What a mailbox's sender can do for one person, outside of a sequence. */
export type Sender = Pick<SendingProvider, "name" | "reply" | "findSent" | "setInterest">

/** Who sends from a mailbox, and the one place where that is chosen. Null: nobody can at the moment. */
export const makeSenderOf = Effect.map(
  Providers,
  (providers) =>
    (workspaceKind: WorkspaceKind, mailbox: Mailbox): Effect.Effect<Sender | null, StoreUnavailable> =>
      Effect.succeed(mailbox.kind === "purchased" ? providers[workspaceKind].sending : null)
)
