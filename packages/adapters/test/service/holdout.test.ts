import { holdoutContract } from "@outbound/testkit/contracts/service/holdout.js"
import { service } from "./service.js"

holdoutContract("postgres", service)
