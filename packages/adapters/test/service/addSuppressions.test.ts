import { addSuppressionsContract } from "@outbound/testkit/contracts/service/addSuppressions.js"
import { service } from "./service.js"

addSuppressionsContract("postgres", service)
