import { contentContract } from "@outbound/testkit/contracts/content.js"
import { layer } from "./stores.js"

contentContract("PostgreSQL", layer)
