import { suppressionContract } from "@outbound/testkit/contracts/suppression.js"
import { layer } from "./stores.js"

suppressionContract("PostgreSQL", layer)
