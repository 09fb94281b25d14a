import { Webhooks } from "@outbound/domain/wings/webhooks/Webhooks.js"
import type { WingConsole } from "../WingConsole.js"
import { LIST, webhookPages } from "./webhookRoutes.js"

export const webhooksConsole = {
  pages: webhookPages,
  settings: [{ path: LIST, text: "webhooks", service: Webhooks, isFor: () => true }]
} satisfies WingConsole
