import { rulesContract } from "@outbound/testkit/contracts/service/rules.js"
import { service } from "./service.js"

rulesContract("postgres", service)
