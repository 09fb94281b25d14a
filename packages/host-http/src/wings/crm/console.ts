import { CrmAdmin } from "@outbound/domain/wings/crm/CrmAdmin.js"
import type { WingConsole } from "../WingConsole.js"
import { CRM_PATH, crmPages } from "./CrmPage.js"

export const crmConsole = {
  pages: crmPages,
  settings: [{ path: CRM_PATH, text: "CRM", service: CrmAdmin, isFor: ({ role }) => role === "owner" }]
} satisfies WingConsole
