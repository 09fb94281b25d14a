import { sentRepliesContract } from "@outbound/testkit/contracts/sentReplies.js"
import { layer } from "./stores.js"

sentRepliesContract("PostgreSQL", layer)
