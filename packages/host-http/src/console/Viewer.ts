import type { Standing } from "@outbound/domain/control/console/ConsoleReads.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { createContext } from "preact"
import { useContext } from "preact/hooks"

/** The signed-in viewer, the CSRF token of their forms, and the counts in the menu. */
export interface Viewer {
  readonly signedIn: SignedIn
  readonly csrf: string
  readonly standing: Standing
  /** The time zone in which they read times. */
  readonly zone: string
  /** The cookie in which the console's script keeps the browser's zone; null: one is kept. */
  readonly openZone: string | null
  /** When they asked for the page. */
  readonly nowMillis: number
}

/** Who views the page. */
export const Viewing = createContext<Viewer | null>(null)

/** The viewer of the page, for parts of pages that only signed-in viewers see. */
export const useViewer = (): Viewer => {
  const viewer = useContext(Viewing)
  if (viewer === null) throw new Error("nobody is signed in on this page")
  return viewer
}
