import { BOARD_SYSTEMS } from "../../../src/providers/boards/systems.js"
import type { OpenWorld } from "./OpenWorld.js"

/** Where each system of boards is in the world. */
export const boardBaseUrls = (world: OpenWorld) =>
  Object.fromEntries(
    BOARD_SYSTEMS.map((system) => [
      system,
      world.at(system === "recruitee" || system === "personio" ? `{board}.${system}` : system)
    ])
  )
