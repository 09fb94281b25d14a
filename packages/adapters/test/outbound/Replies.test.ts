import { repliesContract } from "@outbound/testkit/contracts/replies.js"
import { layer } from "./stores.js"

repliesContract("PostgreSQL", layer)
