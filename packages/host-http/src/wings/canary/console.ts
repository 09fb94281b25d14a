import { CanaryAdmin } from "@outbound/domain/wings/canary/CanaryAdmin.js"
import type { WingConsole } from "../WingConsole.js"
import { CANARY_PATH, canaryPages } from "./CanaryPage.js"

export const canaryConsole = {
  pages: canaryPages,
  settings: [{ path: CANARY_PATH, text: "canaries", service: CanaryAdmin, isFor: ({ kind }) => kind === "live" }]
} satisfies WingConsole
