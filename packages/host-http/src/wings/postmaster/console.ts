import { PostmasterAdmin } from "@outbound/domain/wings/postmaster/PostmasterAdmin.js"
import type { WingConsole } from "../WingConsole.js"
import { POSTMASTER_PATH, postmasterPages } from "./PostmasterPage.js"

export const postmasterConsole = {
  pages: postmasterPages,
  settings: [
    {
      path: POSTMASTER_PATH,
      text: "Google Postmaster Tools",
      service: PostmasterAdmin,
      isFor: ({ kind, role }) => kind === "live" && role === "owner"
    }
  ]
} satisfies WingConsole
