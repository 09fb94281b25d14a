import { Changes, makeLooking } from "@outbound/domain/control/console/Changes.js"
import { Context, Effect, Layer } from "effect"

/** What the listening connection hears of changes: the workspace that changed, or whether it listens. */
export class ChangeSignals extends Context.Service<ChangeSignals, Heard>()("@outbound/adapters/work/ChangeSignals") {}

export class Heard {
  #isListening = false
  #tell: (workspaceId: string) => void = () => undefined
  #onListening: () => void = () => undefined

  get isListening(): boolean {
    return this.#isListening
  }

  changed(workspaceId: string): void {
    this.#tell(workspaceId)
  }

  listening(isListening: boolean): void {
    this.#isListening = isListening
    this.#onListening()
  }

  /** Sets the one listener of this connection. */
  to(tell: (workspaceId: string) => void, onListening: () => void): void {
    this.#tell = tell
    this.#onListening = onListening
  }
}

/** Changes by `NOTIFY`, sent by triggers (migration `change_signals`). Without a connection to listen on, by looking. */
export const changes = Layer.effect(
  Changes,
  Effect.gen(function* () {
    const heard = yield* ChangeSignals
    const { wake, watchers } = yield* makeLooking(() => !heard.isListening)
    // Some changes may have been missed while nobody listened, so signal every watched workspace.
    heard.to(
      (workspaceId) => watchers.tell(workspaceId),
      () => {
        for (const workspaceId of watchers.workspaceIds) watchers.tell(workspaceId)
        wake()
      }
    )
    return Changes.of({ watch: watchers.watch })
  })
)
